/** Three nodes of the loopback EventStoreDB with one store, of which one leads: what a cluster does to those who use it. */
import { type EsdbServer, startEsdbServer } from './esdb-server.ts';
import { EsdbStore } from './esdb-store.ts';
import { type Gate, openGate } from './gate.ts';

export type EsdbCluster = Awaited<ReturnType<typeof startEsdbCluster>>;

const SIZE = 3;

export const startEsdbCluster = async (store = new EsdbStore()) => {
  const nodes: { readonly server: EsdbServer; readonly gate: Gate }[] = [];
  const away = new Set<number>();
  let leader = 0;
  let quorum = true;
  /** Nodes that led, and went without a word. */
  const ghosts = new Set<number>();
  const portOf = (node: number): number => nodes[node]?.gate.port ?? 0;
  for (let node = 0; node < SIZE; node += 1) {
    const server = await startEsdbServer(store, 0, {
      leader: () => (!quorum ? 'nobody' : node === leader ? 'itself' : portOf(leader)),
      gossip: () =>
        nodes.map((_, index) => ({
          port: portOf(index),
          leads: (quorum && index === leader) || ghosts.has(index),
          alive: true,
        })),
    });
    nodes.push({ server, gate: await openGate(() => server.port) });
  }
  return {
    url: `esdb://${nodes.map((_, node) => `127.0.0.1:${portOf(node)}`).join(',')}?tls=false`,
    store,
    get leader(): number {
      return leader;
    },
    /** Another node leads from now on. A node that led before, and is dead or frozen, still looks alive and leading in the gossip. */
    elect(next = (leader + 1) % SIZE): void {
      if (away.has(leader) && next !== leader) ghosts.add(leader);
      leader = next;
      quorum = true;
    },
    /** Nobody leads until the next `elect`: every node is there, and none is ready. */
    loseQuorum(): void {
      quorum = false;
    },
    /** `kill -9`, and a later start. */
    async kill(node: number): Promise<void> {
      away.add(node);
      await nodes[node]?.gate.shut();
    },
    async revive(node: number): Promise<void> {
      away.delete(node);
      ghosts.delete(node);
      await nodes[node]?.gate.open();
    },
    /** Stops a node's process without ending it, and lets it go on. */
    freeze(node: number): void {
      away.add(node);
      nodes[node]?.gate.freeze();
    },
    thaw(node: number): void {
      away.delete(node);
      ghosts.delete(node);
      nodes[node]?.gate.thaw();
    },
    async stop(): Promise<void> {
      for (const { server, gate } of nodes) {
        await gate.shut();
        await server.stop();
      }
    },
  };
};
