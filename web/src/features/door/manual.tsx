import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';

export const Manual = ({ onScan, busy }: { onScan: (code: string) => void; busy: boolean }) => {
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onScan(code);
    setCode('');
  };
  // A disabled submit button also disables Enter, so Enter shows the reason.
  const enter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !code.trim()) submit(event);
  };
  return (
    <form onSubmit={submit}>
      <Row gap="$12" alignItems="flex-end">
        <Box flex={1}>
          <Field
            label="Enter a code by hand"
            placeholder="Link or code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            onKeyDown={enter}
          />
        </Box>
        <Button type="submit" disabled={!code.trim()} busy={busy} busyText="Scanning...">
          Scan
        </Button>
      </Row>
    </form>
  );
};
