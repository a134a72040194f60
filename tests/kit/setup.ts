/** Runs before each file of specs. */
import { watchEnds } from './endings.ts';

watchEnds();
