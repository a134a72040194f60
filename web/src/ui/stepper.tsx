import { Box, Row } from './box.tsx';
import { IconButton } from './button.tsx';
import { Heading } from './text.tsx';

/** A number with a button on each side that changes it by one. The buttons are disabled at the bounds. */
export const Stepper = ({
  value,
  least,
  most,
  onChange,
  noun,
  disabled,
  waiting,
}: {
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => void;
  /** What is counted, in the singular: "ticket". */
  noun: string;
  disabled?: boolean;
  /** The last change is being checked: the buttons ignore presses, and keep the keyboard focus. */
  waiting?: boolean;
}) => (
  <Row role="group" aria-label={`Number of ${noun}s`} gap="$8">
    <IconButton
      icon="minus"
      kind="outline"
      label={`One ${noun} fewer`}
      disabled={disabled || value <= least}
      aria-disabled={waiting || undefined}
      onClick={() => waiting || onChange(value - 1)}
    />
    <Box width={48} alignItems="center" aria-live="polite" overflow="hidden">
      <Heading render="span" figures>
        <span key={value} className="tick">
          {value}
        </span>
        <span className="unseen">{` ${value === 1 ? noun : `${noun}s`}`}</span>
      </Heading>
    </Box>
    <IconButton
      icon="plus"
      kind="outline"
      label={`One ${noun} more`}
      disabled={disabled || value >= most}
      aria-disabled={waiting || undefined}
      onClick={() => waiting || onChange(value + 1)}
    />
  </Row>
);

/** A number that is animated when it changes. */
export const Ticking = ({ value }: { value: number | string }) => (
  <span key={value} className="tick figures">
    {value}
  </span>
);
