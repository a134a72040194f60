/** Reads one ahead: the next page is on its way while the present one is worked on. */
export async function* prefetched<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const result = await next;
      if (result.done) return;
      next = iterator.next();
      // Should the work fail first, this one's own failure is nobody's news.
      next.catch(() => undefined);
      yield result.value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}
