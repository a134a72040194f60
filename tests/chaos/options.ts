/** What the chaos runs tell their processes by environment; the product itself reads none of it. */
const { CHAOS_HOLD_FOR, CHAOS_UNCHECKED } = process.env;

/** How long tickets are held, and how often provider and log are compared, in milliseconds. */
export const commandOptions = { holdFor: Number(CHAOS_HOLD_FOR ?? 4_000), reconcileEvery: 2_000 } as const;

/** The control: appends don't check the stream's revision, so two processes must sell too much. */
export const unchecked = CHAOS_UNCHECKED === 'yes';
