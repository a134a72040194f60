/** Runs before each file of specs. What it calls keeps its state from file to file: a process runs several. */
import { afterAll, afterEach, expect } from 'vitest';
import { watchEnds } from './endings.ts';
import { wrongAnswers } from './held-answers.ts';

watchEnds();

const demandNone = () => expect(wrongAnswers.splice(0)).toEqual([]);
afterEach(demandNone);
afterAll(demandNone);
