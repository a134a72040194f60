/** OpenAPI for people, at `/api/docs`, made from the routes' own schemas. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';

/** Where people read it. */
export const DOCS_PATH = '/api/docs';

/** Has to be installed before the routes that it describes. */
export const installDocs = async (app: FastifyInstance, baseUrl: string): Promise<void> => {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Reprise',
        version: '1',
        description:
          'Events and ticketing for UK cities. Changes carry `X-CSRF-Token` and answer with `X-Log-Position`.',
      },
      servers: [{ url: baseUrl }],
    },
    transform: jsonSchemaTransform,
  });
  await app.register(swaggerUi, { routePrefix: DOCS_PATH, uiConfig: { docExpansion: 'list' } });
};
