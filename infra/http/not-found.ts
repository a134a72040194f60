import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/kernel/refusal.ts';

const patternOf = (url: string): RegExp => {
  const source = url
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) return '[^/]+';
      return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('/');
  return new RegExp(`^${source}/?$`);
};

export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

export const installNotFound = (app: FastifyInstance, page?: PageHandler): void => {
  const routes = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.startsWith('/*') || url === '*') return;
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const one of [method].flat()) route.methods.add(one);
    routes.set(url, route);
  });
  const methodsOf = (path: string): readonly string[] => {
    const fitting = [...routes.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort();
  };

  app.setNotFoundHandler((request, reply) => {
    const [path = '/'] = request.url.split('?', 1);
    const allowed = methodsOf(path);
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      reply.header('allow', allowed.join(', '));
      throw new Refusal('METHOD_NOT_ALLOWED');
    }
    const asksForPage = request.method === 'GET' || request.method === 'HEAD';
    if (page && asksForPage && !path.startsWith('/api/')) return page(request, reply.code(404));
    throw new Refusal('NOT_FOUND');
  });
};
