import { Box } from './box.tsx';
import { Text } from './text.tsx';

/** Scripts don't run and links are inert. */
export const MailPreview = ({ subject, html, text }: { subject: string; html: string; text: string }) => (
  <Box gap="$12">
    <Text strong>{subject}</Text>
    <iframe className="mail-preview" sandbox="" title="Preview of the mail" srcDoc={html} />
    <Text size="small" tone="dim">
      As plain text:
    </Text>
    <pre className="mail-preview-text">{text}</pre>
  </Box>
);
