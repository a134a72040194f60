import type { ErrorBody } from '#domain/contracts/envelope.ts';
import { plainText } from '#domain/listing/preview.ts';
import { moment } from '#web/lib/formatters/when.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Text } from '#web/ui/text.tsx';

const LONGEST_VALUE = 120;
const INSTANT = /^\d{4}-\d\d-\d\dT.*Z$/;

/** A field's name in words: `validFrom` → "Valid from", `venueId` → "Venue", `site_tagline` → "Site tagline". */
const nameOf = (field: string): string => {
  const words = field
    .replace(/(Id|Url)$/, '')
    .replace(/_|(?=[A-Z])/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const sayValue = (current: Readonly<Record<string, unknown>>, field: string): string => {
  // Places have a name beside their id; settings are keyed by name.
  const value = current[field.replace(/Id$/, '')] ?? current[field] ?? current.value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  if (INSTANT.test(text)) return moment(text);
  const plain = plainText(text);
  return plain.length > LONGEST_VALUE ? `${plain.slice(0, LONGEST_VALUE)}…` : plain || '-';
};

export const ChangedMeanwhile = ({
  refusal: { by, at, changed = [], current = {} },
  onLoad,
  onKeep,
  onClose,
}: {
  refusal: Pick<Partial<ErrorBody>, 'by' | 'at' | 'changed'> & { readonly current?: object };
  onLoad: () => void;
  onKeep: () => void;
  onClose: () => void;
}) => (
  <Dialog open onClose={onClose} title="Changed while you were editing" width={480}>
    <Text tone="dim">
      {`${by ?? 'Somebody'} changed this${at ? ` (${moment(at)})` : ''} after you had opened it. Nothing of yours has been saved yet. It now says:`}
    </Text>
    <Box render="ul" gap="$12">
      {changed.map((field) => (
        <Box key={field} render="li">
          <Text size="small" strong>
            {nameOf(field)}
          </Text>
          <Text>{sayValue({ ...current }, field)}</Text>
        </Box>
      ))}
    </Box>
    <Row gap="$12" justifyContent="flex-end" flexWrap="wrap">
      <Button kind="outline" onClick={onLoad}>
        Load their version
      </Button>
      <Button kind="primary" onClick={onKeep}>
        Keep mine
      </Button>
    </Row>
  </Dialog>
);
