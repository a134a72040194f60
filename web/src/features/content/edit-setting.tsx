import type { SiteKey } from '#domain/content/site-defaults.ts';
import { type AdminSetting, adminSiteCalls, settingRequest } from '#domain/contracts/admin-site.ts';
import { siteCalls } from '#domain/contracts/site.ts';
import { useChange } from '#web/lib/api/use-change.ts';
import { check } from '#web/lib/formatters/form.ts';
import { Field, Select } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form/form-dialog.tsx';
import { RemoveDialog } from '#web/ui/form/remove-dialog.tsx';

export const settings: Readonly<Record<SiteKey, readonly [name: string, does: string]>> = {
  site_name: ['Site name', 'In the title of each page, the footer and the mails.'],
  site_tagline: ['Tagline', 'The first words of the home page.'],
  site_logo_url: ['Logo', 'The link of an image, shown in the header and the footer.'],
  hero_image_url: ['Hero image', 'The link of the large image of the home page.'],
  contact_email: ['Contact email', 'In the footer and on the contact page.'],
  contact_phone: ['Contact phone', 'In the footer and on the contact page.'],
  newsletter_enabled: ['Newsletter', 'Whether people can subscribe.'],
  booking_enabled: ['Booking', 'Whether tickets are sold. Those who are paying may finish.'],
  featured_events_limit: ['Featured events', 'How many a page shows, from 1 to 200.'],
  events_per_page: ['Events on a page', 'How many the list of events loads at a time, from 1 to 200.'],
  social_facebook: ['Facebook', 'The link in the footer.'],
  social_twitter: ['Twitter', 'The link in the footer.'],
  social_instagram: ['Instagram', 'The link in the footer.'],
};
export const nameOf = (key: string): string => settings[key as SiteKey]?.[0] ?? key;
const isSwitch = (key: string): boolean => key.endsWith('_enabled');
export const sayValue = ({ key, value }: Pick<AdminSetting, 'key' | 'value'>): string =>
  isSwitch(key) ? (value === 'true' ? 'On' : 'Off') : value || '-';

export const stale = [adminSiteCalls.list, siteCalls.config];

export const EditSetting = ({
  all,
  first,
  onClose,
}: {
  all: readonly AdminSetting[];
  first: string;
  onClose: () => void;
}) => {
  const formOf = (key: string) => {
    const { value = '', revision } = all.find((setting) => setting.key === key) ?? {};
    return { key, value, revision };
  };
  const change = useChange(adminSiteCalls.change, {
    draft: 'configuration',
    stale,
    done: (setting) => ({
      title: 'Configuration updated',
      description: `${nameOf(setting.key)}: ${sayValue(setting)}`,
    }),
    failed: 'Failed to update site configuration',
  });
  return (
    <FormDialog
      title="Site configuration"
      blank={formOf(first)}
      reopen={({ key, value, revision }: AdminSetting) => ({ key, value, revision })}
      check={(form) => check(settingRequest, form)}
      submit="Save"
      busyText="Saving..."
      {...{ change, onClose }}
    >
      {({ form, field, change: set }) => (
        <>
          <Select
            label="Setting"
            {...field('key')}
            options={Object.entries(settings).map(([value, [label]]) => ({ value, label }))}
            onChange={({ target: { value: key } }) => set(formOf(key))}
          />
          {isSwitch(form.key) ? (
            <Select
              label="Value"
              hint={settings[form.key as SiteKey]?.[1]}
              {...field('value')}
              options={[
                { value: 'true', label: 'On' },
                { value: 'false', label: 'Off' },
              ]}
            />
          ) : (
            <Field label="Value" hint={settings[form.key as SiteKey]?.[1]} {...field('value')} />
          )}
        </>
      )}
    </FormDialog>
  );
};

export const ResetSetting = ({ of, onClose }: { of: string; onClose: () => void }) => (
  <RemoveDialog
    call={adminSiteCalls.reset}
    change={{
      params: { key: of },
      stale,
      done: () => ({
        title: 'Configuration updated',
        description: `${nameOf(of)} has its default again.`,
      }),
      failed: 'Failed to update site configuration',
    }}
    title={`Reset ${nameOf(of)}?`}
    confirm="Reset"
    busyText="Resetting..."
    onClose={onClose}
  >
    It gets its default again.
  </RemoveDialog>
);
