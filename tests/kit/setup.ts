/** Runs before each file of specs. What it calls keeps its state from file to file: a process runs several. */
import { watchAnswers } from './answers.ts';
import { watchEnds } from './endings.ts';

watchEnds();
watchAnswers();
