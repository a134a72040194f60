import { beforeAll, describe, expect, it } from 'vitest';
import { COMMON_PASSWORD } from '#domain/account/password.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';

let site: StandingApi;
beforeAll(async () => {
  site = await startCommandApi();
});

let people = 0;
const register = async (password = 'correct horse', email = `pat${++people}@example.com`) => {
  const browser = site.visitor();
  const person = { email, password, firstName: 'Pat', lastName: 'Ashby' };
  const reply = await browser.send(authCalls.register, { body: person });
  return { browser, email, reply, id: reply.body.user?.id as string };
};

describe('a common password', () => {
  it.each(['123456', 'letmein', 'LetMeIn'])('can’t be registered with: %s', async (password) => {
    const { reply, email } = await register(password);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      code: 'WEAK_PASSWORD',
      message: COMMON_PASSWORD,
      errors: [COMMON_PASSWORD],
      fields: { password: COMMON_PASSWORD },
    });
    expect((await register('correct horse', email)).reply.status).toBe(201);
  });

  it('can’t be set at a reset, and the link stays good for another', async () => {
    const { browser, id } = await register();
    const token = await site.deps.mailTokens.issue('reset', id);
    const set = (password: string) => browser.send(authCalls.resetPassword, { body: { token, password } });
    const refused = await set('P@ssw0rd');
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'WEAK_PASSWORD', errors: [COMMON_PASSWORD] });
    const several = await set('letmein');
    expect(several.body.message).toBe('Password Requirements Not Met');
    expect(several.body.errors).toContain(COMMON_PASSWORD);
    expect((await set('Encore-2027!')).status).toBe(200);
  });
});
