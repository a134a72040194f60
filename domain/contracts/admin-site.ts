import * as z from 'zod/mini';
import { call } from './call.ts';
import { orRow, said } from './envelope.ts';
import { blankable, LONGEST, optionalText, since, text } from './fields.ts';

const NEITHER = 'Please select a configuration setting and enter a value';

export const settingRequest = z.strictObject({
  key: text(LONGEST.name, NEITHER),
  value: z.pipe(
    z.pipe(z.union([z.string(), z.number(), z.boolean()], NEITHER), z.transform(String)),
    text(LONGEST.url, NEITHER),
  ),
  description: optionalText(LONGEST.reason),
  category: z.pipe(
    z.nullish(blankable(LONGEST.name)),
    z.transform((category) => category || 'general'),
  ),
  ...since(),
});
export type SettingRequest = z.infer<typeof settingRequest>;

export const adminSetting = z.object({
  key: z.string(),
  value: z.string(),
  description: z.string(),
  category: z.string(),
  /** Null for the default. */
  updatedAt: z.nullable(z.string()),
  revision: z.string(),
});
export type AdminSetting = z.infer<typeof adminSetting>;

export const adminSiteCalls = {
  list: call('GET /api/admin/site-config', { answer: z.array(adminSetting), capability: 'administer' }),
  change: call('POST /api/admin/site-config', {
    body: orRow(settingRequest, adminSetting),
    answer: adminSetting,
    capability: 'administer',
    limit: 'administration',
  }),
  reset: call('DELETE /api/admin/site-config/{key}', {
    params: z.object({ key: z.string() }),
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
};
