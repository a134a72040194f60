import { expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from './new-id.ts';

it('a new id is a random UUID, different each time', () => {
  const made = Array.from({ length: 500 }, newId);
  for (const id of made) expect(z.uuidv4().safeParse(id).success).toBe(true);
  expect(new Set(made).size).toBe(made.length);
});
