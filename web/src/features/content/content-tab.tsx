import { useState } from 'react';
import type { SiteKey } from '#domain/content/site-defaults.ts';
import { type AdminSetting, adminSiteCalls } from '#domain/contracts/admin-site.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { Box, Panel } from '#web/ui/box.tsx';
import { DataTable, RowButton } from '#web/ui/data-table.tsx';
import { type Column, states } from '#web/ui/list/columns.tsx';
import { NotLoaded } from '#web/ui/not-loaded.tsx';
import { Heading } from '#web/ui/text.tsx';
import { ContentCards } from './content-cards.tsx';
import { EditSetting, nameOf, ResetSetting, sayValue, settings } from './edit-setting.tsx';

const columns: readonly Column<AdminSetting & { readonly id: string }>[] = [
  { header: 'Setting', card: 'head', cell: ({ key }) => nameOf(key) },
  { header: 'Value', cell: sayValue },
  { header: 'Does', cell: ({ key }) => settings[key as SiteKey]?.[1] ?? '' },
  states('State', ({ updatedAt }) => [{ words: updatedAt ? 'Changed' : 'Default' }], { card: 'corner' }),
];

type Shown = { readonly does: 'Edit' | 'Reset'; readonly key: string };

export const Tab = () => {
  const { data, error, refetch } = useAnswer(adminSiteCalls.list);
  const [shown, setShown] = useState<Shown>();
  const close = () => setShown(undefined);
  return (
    <Box gap="$16">
      <ContentCards disabled={!data} onEdit={(key) => setShown({ does: 'Edit', key })} />
      <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
        <Heading size="title">Settings</Heading>
        {error && !data ? (
          <NotLoaded what="The settings" {...{ error, refetch }} />
        ) : (
          <DataTable
            label="Settings"
            columns={columns}
            rows={data?.map((setting) => ({ ...setting, id: setting.key }))}
            actions={({ key, updatedAt }) =>
              (['Edit', ...(updatedAt ? (['Reset'] as const) : [])] as const).map((words) => (
                <RowButton
                  key={words}
                  words={words}
                  label={`${words} ${nameOf(key)}`}
                  onClick={() => setShown({ does: words, key })}
                />
              ))
            }
            skeletons={10}
          />
        )}
      </Panel>
      {shown?.does === 'Edit' && data ? <EditSetting all={data} first={shown.key} onClose={close} /> : null}
      {shown?.does === 'Reset' ? <ResetSetting of={shown.key} onClose={close} /> : null}
    </Box>
  );
};
