/** A thing that does some of what it does in another way. */
export const doing = <Thing extends object, Changes extends Partial<Thing>>(
  thing: Thing,
  changes: Changes,
): Thing & Changes =>
  new Proxy(thing, {
    get(_thing, name) {
      const whose = name in changes ? changes : thing;
      const value: unknown = Reflect.get(whose, name);
      return typeof value === 'function' ? value.bind(whose) : value;
    },
  }) as Thing & Changes;
