/** A rebuild's progress, for a person: how far, how fast, how long still. */
import type { Progress } from './rebuild.ts';

const DOING: Readonly<Record<Progress['phase'], string>> = {
  load: 'reading the log',
  index: 'making indexes',
  'catch-up': 'catching up',
  compare: 'comparing with the live read models',
  switch: 'switching',
};

const whole = (value: number): string => Math.round(value).toLocaleString('en-GB');

/** `reading the log: 120,000 events, 61,000 a second, 60 %, 2 s to go` */
export const progressLine = ({ phase, events, seconds, fraction }: Progress): string => {
  if (phase !== 'load' && phase !== 'catch-up') return `${DOING[phase]} (${seconds.toFixed(1)} s so far)`;
  const parts = [`${whole(events)} events`, `${whole(events / Math.max(seconds, 0.001))} a second`];
  if (fraction !== undefined && fraction > 0) {
    parts.push(
      `${Math.floor(fraction * 100)} %`,
      `${Math.ceil((seconds / fraction) * (1 - fraction))} s to go`,
    );
  }
  return `${DOING[phase]}: ${parts.join(', ')}`;
};
