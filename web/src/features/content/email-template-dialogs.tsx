import { SITE_MAILS, siteMails, variablesOf } from '#domain/content/site-mails.ts';
import {
  type AdminEmailTemplate,
  adminEmailTemplateCalls,
  editEmailTemplateRequest,
} from '#domain/contracts/admin-email-templates.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Check, Field, Pair, Select, TextArea } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { RemoveDialog } from '#web/ui/form/remove-dialog.tsx';
import { MailPreview } from '#web/ui/mail-preview.tsx';

type Form = Pick<
  AdminEmailTemplate,
  'name' | 'subject' | 'htmlContent' | 'textContent' | 'description' | 'isActive'
> & { kind: string; revision: string | undefined };

const kindOf = (form: Form) => SITE_MAILS.find((kind) => kind === form.kind) ?? null;

const formOf = (template?: AdminEmailTemplate): Form => ({
  name: template?.name ?? '',
  subject: template?.subject ?? '',
  htmlContent: template?.htmlContent ?? '',
  textContent: template?.textContent ?? '',
  description: template?.description ?? '',
  kind: template?.kind ?? '',
  isActive: template?.isActive ?? true,
  revision: template?.revision,
});

const uses = [
  { value: '', label: 'No mail yet' },
  ...SITE_MAILS.map((kind) => ({ value: kind as string, label: siteMails[kind].name })),
];

const stale = [adminEmailTemplateCalls.list];

const Preview = ({ form }: { form: Form }) => {
  const { subject, htmlContent, textContent } = form;
  const body = { subject, htmlContent, textContent, kind: kindOf(form) };
  const { data, mutate, isPending } = useChange(adminEmailTemplateCalls.preview, {
    failed: 'No preview',
  });
  return (
    <Box gap="$16">
      <Row>
        <Button
          size="compact"
          kind="outline"
          busy={isPending}
          busyText="Rendering..."
          onClick={() => mutate(body)}
        >
          Preview with sample data
        </Button>
      </Row>
      {data ? <MailPreview {...data} /> : null}
    </Box>
  );
};

export const EditEmailTemplate = ({
  template,
  onClose,
}: {
  template: AdminEmailTemplate | undefined;
  onClose: () => void;
}) => {
  const { id = 0, name } = template ?? {};
  const change = useChange(template ? adminEmailTemplateCalls.edit : adminEmailTemplateCalls.create, {
    params: { id },
    draft: `template ${id}`,
    stale,
    done: (saved) => ({
      title: template ? 'Email template updated' : 'Email template created',
      description: saved.name,
    }),
    failed: template ? 'Failed to update email template' : 'Failed to create email template',
  });
  return (
    <FormDialog
      title={template ? `Edit ${name}` : 'Add Template'}
      blank={formOf(template)}
      reopen={formOf}
      check={(form: Form) => check(editEmailTemplateRequest, { ...form, kind: kindOf(form) })}
      submit={template ? 'Save' : 'Add Template'}
      busyText="Saving..."
      width={760}
      {...{ change, onClose }}
    >
      {({ form, field, change: set }) => (
        <>
          <Pair>
            <Field label="Name" maxLength={100} {...field('name')} />
            <Select label="Used for" options={uses} disabled={template?.isDefault} {...field('kind')} />
          </Pair>
          <Field label="Description" optional maxLength={1000} {...field('description')} />
          <Field label="Subject" maxLength={200} {...field('subject')} />
          <TextArea
            label="HTML content"
            rows={10}
            spellCheck={false}
            hint={`Variables: ${variablesOf(kindOf(form))
              .map((one) => `{{ ${one} }}`)
              .join(', ')}`}
            {...field('htmlContent')}
          />
          <TextArea label="Text content" rows={6} {...field('textContent')} />
          <Check
            label="Active: without an active template, the site’s default is sent"
            checked={form.isActive}
            onChange={({ target }) => set({ isActive: target.checked })}
          />
          <Preview form={form} />
        </>
      )}
    </FormDialog>
  );
};

interface Saved {
  readonly template: AdminEmailTemplate;
  readonly onClose: () => void;
}

export const SendTest = ({ template: { id, name }, onClose }: Saved) => (
  <RemoveDialog
    call={adminEmailTemplateCalls.test}
    change={{
      params: { id },
      stale: [],
      done: ({ message }) => ({ title: message, description: 'Look into your own mailbox.' }),
      failed: 'Failed to send the test mail',
    }}
    title={`Send a test of ${name}?`}
    confirm="Send to me"
    refuse="Cancel"
    busyText="Sending..."
    harmless
    onClose={onClose}
  >
    The saved template comes to your own address, filled in with sample data.
  </RemoveDialog>
);

export const removalOf = ({ isDefault }: AdminEmailTemplate): string =>
  isDefault ? 'Back to default' : 'Delete';

export const RemoveEmailTemplate = ({ template, onClose }: Saved) => (
  <RemoveDialog
    call={adminEmailTemplateCalls.remove}
    change={{
      params: { id: template.id },
      stale,
      done: ({ message }) => ({ title: message, description: template.name }),
      failed: 'Failed to delete email template',
    }}
    title={template.isDefault ? `Give ${template.name} its default again?` : `Delete ${template.name}?`}
    confirm={removalOf(template)}
    onClose={onClose}
  >
    {template.isDefault
      ? 'What was written here is gone, and the site’s own words are sent.'
      : 'If it is in use, its mail says what the site brings again.'}
  </RemoveDialog>
);
