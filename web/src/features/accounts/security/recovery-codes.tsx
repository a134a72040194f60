import { useEffect, useRef } from 'react';
import { saveFile } from '#web/lib/api/save-file.ts';
import { Box, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { Heading, Text } from '#web/ui/text.tsx';

const asFile = (codes: readonly string[]): Response =>
  new Response(`${codes.join('\n')}\n`, {
    headers: {
      'Content-Disposition': 'attachment; filename="recovery-codes.txt"',
      'Content-Type': 'text/plain',
    },
  });

export const RecoveryCodes = ({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) => {
  const title = useRef<HTMLDivElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Box gap="$16">
      <Box ref={title} tabIndex={-1}>
        <Heading render="h3" size="lead">
          Keep these recovery codes
        </Heading>
      </Box>
      <Text tone="dim">
        Each works once instead of a code of your app, if you lose your phone. They are shown now and never
        again: print them, or keep them where you keep your passwords.
      </Text>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <Text figures strong>
              {code}
            </Text>
          </li>
        ))}
      </ul>
      <Row gap="$12" flexWrap="wrap">
        <Button onClick={() => saveFile(asFile(codes))}>Download</Button>
        <Button kind="primary" onClick={onKept}>
          I have kept them
        </Button>
      </Row>
    </Box>
  );
};
