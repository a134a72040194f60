import { LRUCache } from 'lru-cache';

/**
 * The `most` entries used last. With its own option `max`, lru-cache would allocate the room for all of them
 * at once, which takes milliseconds for each cache of a process that starts.
 */
export const keepsNewest = <Value extends NonNullable<unknown>, Key extends string | number = string>(
  most: number,
  options: Omit<LRUCache.OptionsMaxLimit<Key, Value, unknown>, 'max'> = {},
): LRUCache<Key, Value> => new LRUCache<Key, Value>({ ...options, maxSize: most, sizeCalculation: () => 1 });
