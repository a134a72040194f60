import { useState } from 'react';
import { type AdminSetting, adminSiteCalls, settingRequest } from '#domain/contracts/admin-site.ts';
import { type SiteKey, siteCalls } from '#domain/contracts/site.ts';
import { useAnswer } from '../../api/answers.ts';
import { useChange } from '../../kit/change.ts';
import { type Column, states } from '../../kit/columns.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { RemoveDialog } from '../../kit/remove-dialog.tsx';
import { Box, Panel, Row } from '../../ui/box.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { check } from '../../words/form.ts';

/** Each setting's name, and what it does. */
const settings: Readonly<Record<SiteKey, readonly [name: string, does: string]>> = {
  site_name: ['Site name', 'In the title of each page, the footer and the mails.'],
  site_tagline: ['Tagline', 'The first words of the home page.'],
  site_logo_url: ['Logo', 'The link of an image, shown in the header and the footer.'],
  hero_image_url: ['Hero image', 'The link of the large image of the home page.'],
  contact_email: ['Contact e-mail', 'In the footer and on the contact page.'],
  contact_phone: ['Contact phone', 'In the footer and on the contact page.'],
  newsletter_enabled: ['Newsletter', 'Whether people can subscribe.'],
  booking_enabled: ['Booking', 'Whether tickets are sold. Those who are paying may finish.'],
  featured_events_limit: ['Featured events', 'How many a page shows, from 1 to 200.'],
  events_per_page: ['Events on a page', 'How many the list of events loads at a time, from 1 to 200.'],
  social_facebook: ['Facebook', 'The link in the footer.'],
  social_twitter: ['Twitter', 'The link in the footer.'],
  social_instagram: ['Instagram', 'The link in the footer.'],
};
const nameOf = (key: string): string => settings[key as SiteKey]?.[0] ?? key;
const isSwitch = (key: string): boolean => key.endsWith('_enabled');
const sayValue = ({ key, value }: Pick<AdminSetting, 'key' | 'value'>): string =>
  isSwitch(key) ? (value === 'true' ? 'On' : 'Off') : value || '-';

/** What a changed setting makes stale: the settings themselves, here and on every page. */
const stale = [adminSiteCalls.list, siteCalls.config];

const columns: readonly Column<AdminSetting & { readonly id: string }>[] = [
  { header: 'Setting', card: 'head', cell: ({ key }) => nameOf(key) },
  { header: 'Value', cell: sayValue },
  { header: 'Does', cell: ({ key }) => settings[key as SiteKey]?.[1] ?? '' },
  states('State', ({ updatedAt }) => [{ words: updatedAt ? 'Changed' : 'Default' }], { card: 'corner' }),
];

/** The dialog that changes a setting: the given one at first, and any other that is chosen. */
const EditSetting = ({
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
      keptAs="configuration"
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

type Shown = { readonly does: 'edit' | 'reset'; readonly key: string };

/** The content tab: ways to what the pages show, and the site's settings. */
export const Tab = () => {
  const { data, error, refetch } = useAnswer(adminSiteCalls.list);
  const [shown, setShown] = useState<Shown>();
  const close = () => setShown(undefined);
  const edit = (key: string) => setShown({ does: 'edit', key });
  return (
    <Box gap="$16">
      <div className="content-cards">
        <Panel padding="$20" gap="$12">
          <Heading size="lead">Hero Section</Heading>
          <Text tone="dim">The large image of the home page, and the words on it.</Text>
          <Row gap="$8" flexWrap="wrap">
            <Button size="compact" onClick={() => edit('hero_image_url')} disabled={!data}>
              Change image
            </Button>
            <Button size="compact" onClick={() => edit('site_tagline')} disabled={!data}>
              Change words
            </Button>
          </Row>
        </Panel>
        <Panel padding="$20" gap="$12">
          <Heading size="lead">Featured Content</Heading>
          <Text tone="dim">Featured events stand first on the home page.</Text>
          <Row>
            <ButtonLink size="compact" kind="outline" to="/admin?tab=events">
              Choose events
            </ButtonLink>
          </Row>
        </Panel>
        <Panel padding="$20" gap="$12">
          <Heading size="lead">Site Configuration</Heading>
          <Text tone="dim">Name, contact, switches and limits.</Text>
          <Row>
            <Button size="compact" onClick={() => edit('site_name')} disabled={!data}>
              Configure
            </Button>
          </Row>
        </Panel>
      </div>
      <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
        <Heading size="title">Settings</Heading>
        {error && !data ? (
          <Notice
            tone="bad"
            alert
            title="The settings didn’t load"
            action={
              <Button size="compact" onClick={() => refetch()}>
                Try again
              </Button>
            }
          />
        ) : (
          <DataTable
            label="Settings"
            columns={columns}
            rows={data?.map((setting) => ({ ...setting, id: setting.key }))}
            actions={({ key, updatedAt }) => [
              <Button
                key="edit"
                kind="plain"
                size="compact"
                aria-label={`Edit ${nameOf(key)}`}
                onClick={() => edit(key)}
              >
                Edit
              </Button>,
              ...(updatedAt
                ? [
                    <Button
                      key="reset"
                      kind="plain"
                      size="compact"
                      aria-label={`Reset ${nameOf(key)}`}
                      onClick={() => setShown({ does: 'reset', key })}
                    >
                      Reset
                    </Button>,
                  ]
                : []),
            ]}
            skeletons={10}
          />
        )}
      </Panel>
      {shown?.does === 'edit' && data ? <EditSetting all={data} first={shown.key} onClose={close} /> : null}
      {shown?.does === 'reset' ? (
        <RemoveDialog
          call={adminSiteCalls.reset}
          change={{
            params: { key: shown.key },
            stale,
            done: () => ({
              title: 'Configuration updated',
              description: `${nameOf(shown.key)} has its default again.`,
            }),
            failed: 'Failed to update site configuration',
          }}
          title={`Reset ${nameOf(shown.key)}?`}
          confirm="Reset"
          busyText="Resetting..."
          onClose={close}
        >
          It gets its default again.
        </RemoveDialog>
      ) : null}
    </Box>
  );
};
