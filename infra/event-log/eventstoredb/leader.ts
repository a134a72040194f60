import { setTimeout as pause } from 'node:timers/promises';
import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import messages from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { LogUnavailable } from '#infra/event-log/event-log.ts';
import { type Address, type Node, readAddress } from './address.ts';
import { Connection } from './connection.ts';

const LONGEST_GOSSIP = 1_000;
/** Milliseconds; an election takes at most two seconds. */
const LONGEST_SEARCH = 3_000;
const BETWEEN_SEARCHES = 100;
const SUSPICIOUS = 2_000;
const LOOK_EVERY = 500;

const { LEADER } = messages.MemberInfo.VNodeState;

const nameOf = ({ address, port }: Node): string => `${address}:${port}`;

export class Leader {
  readonly #address: Address;
  readonly #timeoutMs: number;
  readonly #nodes = new Map<string, Node>();
  #elsewhere: Node | undefined;
  #current: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  #ended: string | undefined;
  readonly #once: boolean;
  readonly #looking: NodeJS.Timeout | undefined;

  constructor(url: string, timeoutMs: number, once: boolean) {
    this.#address = readAddress(url);
    this.#timeoutMs = timeoutMs;
    this.#once = once;
    for (const node of this.#address.nodes) this.#nodes.set(nameOf(node), node);
    if (this.#address.isCluster) this.#looking = setInterval(() => void this.#suspect(), LOOK_EVERY).unref();
  }

  connection(): Promise<Connection> {
    if (this.#ended) return Promise.reject(new LogUnavailable(this.#ended));
    if (!this.#current) {
      const current = this.#connect();
      this.#current = current;
      current.catch(() => {
        if (this.#current === current) this.#current = undefined;
      });
    }
    return this.#current;
  }

  close(): void {
    this.#ended = 'the log is closed';
    clearInterval(this.#looking);
    this.#connection?.close();
  }

  async #connect(): Promise<Connection> {
    const deadline = performance.now() + Math.min(LONGEST_SEARCH, this.#timeoutMs);
    for (;;) {
      try {
        const connection = await this.#open(await this.#find());
        if (this.#ended) {
          connection.close();
          throw new LogUnavailable(this.#ended);
        }
        this.#connection = connection;
        return connection;
      } catch (error) {
        if (this.#ended || performance.now() > deadline) throw error;
      }
      await pause(BETWEEN_SEARCHES);
    }
  }

  #open(node: Node): Promise<Connection> {
    const lost = (next: Node | undefined): void => {
      // Synchronous, so that new callers get another connection.
      this.#current = undefined;
      this.#connection = undefined;
      this.#elsewhere = next;
      if (this.#once) this.#ended = 'the connection to the store was lost';
    };
    const { access } = this.#address;
    return Connection.to({ node, access, timeoutMs: this.#timeoutMs, onLost: lost });
  }

  async #find(): Promise<Node> {
    if (this.#address.isCluster) return this.#search();
    const [named] = this.#address.nodes;
    const node = this.#elsewhere ?? named;
    this.#elsewhere = undefined;
    if (!node) throw new LogUnavailable('the address names no node');
    return node;
  }

  /**
   * Claims about other nodes may be stale.
   * @throws LogUnavailable if none leads
   */
  async #search(): Promise<Node> {
    const { promise: found, resolve, reject } = Promise.withResolvers<Node>();
    const asked = new Set<string>();
    const ask = async (node: Node): Promise<void> => {
      const name = nameOf(node);
      if (asked.has(name)) return;
      asked.add(name);
      const members = await this.#gossipOf(node);
      for (const member of members) this.#nodes.set(nameOf(member), member);
      if (members.some((member) => nameOf(member) === name && member.leads)) resolve(node);
      await Promise.all(members.map(ask));
    };
    Promise.all([...this.#nodes.values()].map(ask)).then(() => reject(new LogUnavailable('no node leads')));
    return found;
  }

  #gossipOf(node: Node): Promise<readonly (Node & { readonly leads: boolean })[]> {
    const { access } = this.#address;
    const client = new gossip.GossipClient(nameOf(node), access.credentials, {
      'grpc.use_local_subchannel_pool': 1,
    });
    return new Promise((answer) => {
      const options = { deadline: Date.now() + LONGEST_GOSSIP };
      client.read(new shared.Empty(), access.metadata(), options, (error, info) => {
        client.close();
        const members = error ? [] : info.getMembersList();
        answer(
          members.flatMap((member) => {
            const at = member.getHttpEndPoint();
            if (!at) return [];
            return [{ address: at.getAddress(), port: at.getPort(), leads: member.getState() === LEADER }];
          }),
        );
      });
    });
  }

  /** A leader may hang with its connections open while the others elect a new one. */
  async #suspect(): Promise<void> {
    const connection = this.#connection;
    const since = connection?.silentSince;
    if (!connection || since === undefined || performance.now() - since < SUSPICIOUS) return;
    const leader = await this.#search().catch(() => undefined);
    if (!leader || nameOf(leader) === nameOf(connection.node) || this.#connection !== connection) return;
    this.#current = undefined;
    this.#connection = undefined;
    if (this.#once) this.#ended = 'the store has a new leader';
    connection.close();
  }
}
