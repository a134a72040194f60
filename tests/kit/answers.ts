import { afterAll, afterEach, expect } from 'vitest';
import { wrongAnswers } from './held-answers.ts';

/** Lets specs fail whose answers were not as declared. Called by `setup.ts`. */
export const watchAnswers = (): void => {
  const demandNone = () => expect(wrongAnswers.splice(0)).toEqual([]);
  afterEach(demandNone);
  afterAll(demandNone);
};
