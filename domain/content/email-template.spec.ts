import { describe, expect, it } from 'vitest';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import { emailTemplate, templateFor } from './email-template.ts';
import type { EmailTemplateEvent, EmailTemplateFacts } from './events.ts';
import { type SiteMail, siteMails, variablesOf } from './site-mails.ts';

const winter: EmailTemplateFacts = {
  templateId: 101,
  name: 'Winter',
  description: '',
  kind: 'booking-confirmation',
  subject: 'Warm up',
  htmlContent: '<p>See you</p>',
  textContent: 'See you',
  isActive: true,
};
const summer = { ...winter, templateId: 102, name: 'Summer' };
/** The site's own, edited. */
const own = { ...winter, templateId: siteMails['booking-confirmation'].id, name: 'Ours' };
const added = (data: EmailTemplateFacts): EmailTemplateEvent => ({ type: 'EmailTemplateAdded', data });
const edited = (data: EmailTemplateFacts): EmailTemplateEvent => ({ type: 'EmailTemplateEdited', data });
const add = (facts: EmailTemplateFacts) => ({ type: 'AddEmailTemplate', ...facts }) as const;
const edit = (facts: EmailTemplateFacts) => ({ type: 'EditEmailTemplate', ...facts }) as const;
const remove = (templateId: number) => ({ type: 'RemoveEmailTemplate', templateId }) as const;
const sent = (...events: EmailTemplateEvent[]) =>
  templateFor(fold(emailTemplate, events), 'booking-confirmation')?.name;

describe('an email template', () => {
  it('is added once, edited if something differs, and removed once', () => {
    given(emailTemplate, [])
      .when(add(winter))
      .then([added(winter)]);
    given(emailTemplate, [added(winter)])
      .when(add(winter))
      .thenNothing();
    given(emailTemplate, [added(winter)])
      .when(edit(winter))
      .thenNothing();
    const changed = { ...winter, subject: 'Warmer' };
    given(emailTemplate, [added(winter)])
      .when(edit(changed))
      .then([edited(changed)]);
    const removed = { type: 'EmailTemplateRemoved', data: { templateId: 101 } } as const;
    given(emailTemplate, [added(winter)])
      .when(remove(101))
      .then([removed]);
    for (const command of [remove(101), edit(winter)])
      given(emailTemplate, [added(winter), removed])
        .when(command)
        .thenRejected('NOT_FOUND');
  });

  it('of the site always exists: it can be edited and reset, but not removed', () => {
    const { templateId } = own;
    given(emailTemplate, []).when(remove(templateId)).thenNothing();
    const other = { ...own, kind: 'refund-denied' } as const;
    given(emailTemplate, [])
      .when(edit(other))
      .then([edited(own)]);
    const reset = { type: 'EmailTemplateReset', data: { templateId } } as const;
    given(emailTemplate, [edited(own)])
      .when(remove(templateId))
      .then([reset]);
    expect(sent(edited(own))).toBe('Ours');
    expect(sent(edited(own), reset)).toBeUndefined();
  });

  it('becomes the only active one of its kind of mail', () => {
    const replaced = { type: 'EmailTemplateReplaced', data: { templateId: 101 } } as const;
    given(emailTemplate, [added(winter)])
      .when(add(summer))
      .then([added(summer), replaced]);
    expect(sent(added(winter), added(summer), replaced)).toBe('Summer');
    given(emailTemplate, [added(winter)])
      .when(edit(own))
      .then([edited(own), replaced]);
    for (const beside of [{ isActive: false }, { kind: null }, { kind: 'refund-denied' as const }])
      given(emailTemplate, [added(winter)])
        .when(add({ ...summer, ...beside }))
        .then([added({ ...summer, ...beside })]);
  });

  it('that is inactive is not used for mails', () => {
    expect(sent(edited({ ...own, isActive: false }))).toBeUndefined();
  });

  it.each(['winter ', 'Booking confirmed'])('has a name that no other one has: not %s', (name) => {
    given(emailTemplate, [added(winter)])
      .when(add({ ...summer, name }))
      .thenRejected('NAME_TAKEN');
  });
});

it('an email template for a kind of mail known only to a newer program can use the variables of every booking mail', () => {
  expect(variablesOf('seat-upgraded' as SiteMail)).toEqual(variablesOf(null));
});
