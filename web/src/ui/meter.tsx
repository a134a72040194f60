import { Box, Row } from './box.tsx';
import { Text } from './text.tsx';

const tones = ['$bad', '$bad', '$warn', '$good', '$good'] as const;

export const Meter = ({ score, words }: { score: number; words: string }) => (
  <Row gap="$12">
    <Row gap="$4" flex={1} aria-hidden={true}>
      {[1, 2, 3, 4].map((bar) => (
        <Box
          key={bar}
          flex={1}
          height={4}
          borderRadius="$pill"
          backgroundColor={score >= bar ? (tones[score] ?? '$good') : '$line'}
        />
      ))}
    </Row>
    <Text size="small" tone="dim">
      {words}
    </Text>
  </Row>
);
