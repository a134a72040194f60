export interface Toast {
  readonly title: string;
  readonly description?: string;
  readonly variant?: 'default' | 'destructive';
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Milliseconds. Default: 5,000. */
  readonly duration?: number;
}

export interface ShownToast extends Toast {
  readonly id: number;
}
let shown: ShownToast | undefined;
let last = 0;
const listeners = new Set<() => void>();
const show = (next: ShownToast | undefined) => {
  shown = next;
  for (const listener of listeners) listener();
};
/** Call after a dialog opens or closes, so that toasts move into or out of it. */
export const toastsMayMove = (): void => {
  for (const listener of listeners) listener();
};
export const onToast = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const shownToast = (): ShownToast | undefined => shown;

export const toast = (message: Toast): void => {
  last += 1;
  show({ ...message, id: last });
};
export const toastError = (title: string, description?: string): void =>
  toast({ title, description, variant: 'destructive' });

export const hushToast = (): void => show(undefined);

export const dismissToast = (id: number) => {
  if (shown?.id === id) show(undefined);
};
