/** The loopback EventStoreDB as a program of its own, for benchmarks: says its address and runs until it is ended. */
import { startEsdbServer } from './esdb-server.ts';

const { url } = await startEsdbServer();
console.log(`at ${url}`);
