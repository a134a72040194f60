import swagger, { type SwaggerTransform } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Call } from '#domain/contracts/call.ts';
import { type Capability, capabilities } from '#domain/contracts/capabilities.ts';
import { FILE_FORM, FORMS } from './form-body.ts';

export const DOCS_PATH = '/api/docs';

type Described = Partial<Pick<Call, 'answer' | 'status'>>;

const answersOf = ({ answer, status = [200] }: Described): Record<number, unknown> => {
  if (answer === undefined) return {};
  if (answer === 'websocket') return { 101: { description: 'Goes on as a WebSocket.' } };
  if (answer === 'redirect') return { 302: { description: 'Leads to another page.' } };
  const told =
    typeof answer === 'string'
      ? { description: answer, content: { [answer]: { schema: { type: 'string', format: 'binary' } } } }
      : answer;
  return Object.fromEntries(status.map((one) => [one, told]));
};

const callersOf = (capability: Capability): string =>
  `\`${capability}\`: ${capabilities[capability].join(', ')}.`;

const transform: SwaggerTransform = ({ schema, route, ...rest }) => {
  const { capability, answer, status, upload, form } = route.config ?? {};
  const described = {
    ...schema,
    ...(upload && { consumes: [FILE_FORM] }),
    ...(form && { consumes: ['application/json', ...FORMS] }),
    ...(capability && { description: callersOf(capability) }),
    ...(typeof answer === 'object' && { response: answersOf({ answer, status }) }),
  };
  const transformed = jsonSchemaTransform({ ...rest, route, schema: described });
  if (typeof answer === 'string' && transformed.schema)
    transformed.schema.response = answersOf({ answer, status });
  return transformed;
};

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
    transform,
  });
  await app.register(swaggerUi, { routePrefix: DOCS_PATH, uiConfig: { docExpansion: 'list' } });
};
