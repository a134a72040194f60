/** A map of limited size. If it is full, the value that was set longest ago is dropped. */
export class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#most) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }
}
