export class Turns {
  readonly #atOnce: number;
  readonly #urgent: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get waiting(): number {
    return this.#urgent.length + this.#waiting.length;
  }

  async take<Result>(work: () => Promise<Result>, urgent = false): Promise<Result> {
    const line = urgent ? this.#urgent : this.#waiting;
    if (this.#running >= this.#atOnce) await new Promise<void>((go) => line.push(go));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#urgent.shift() ?? this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
