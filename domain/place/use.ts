/** What still uses a place or a category, as the answer 409 `IN_USE` shows it. Read from a read model (the one exception: nothing else that decides does). */
export interface Use {
  readonly kind: 'event' | 'venue';
  readonly id: number;
  readonly name: string;
}
