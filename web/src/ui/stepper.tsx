import { Box, Row } from './box.tsx';
import { IconButton } from './button.tsx';
import { Heading } from './text.tsx';

/**
 * A number with a button on each side that changes it by one. At a bound its button is only marked as disabled: one that is really
 * disabled would lose the keyboard focus.
 */
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
}) => {
  const step = (icon: 'minus' | 'plus', words: string, to: number, isBound: boolean) => {
    const idle = waiting || isBound;
    return (
      <IconButton
        icon={icon}
        kind="outline"
        label={words}
        disabled={disabled}
        aria-disabled={idle || undefined}
        onClick={() => idle || onChange(to)}
      />
    );
  };
  return (
    <Row role="group" aria-label={`Number of ${noun}s`} gap="$8">
      {step('minus', `One ${noun} fewer`, value - 1, value <= least)}
      <Box width={48} alignItems="center" aria-live="polite" overflow="hidden">
        <Heading render="span" figures>
          <span key={value} className="tick">
            {value}
          </span>
          <span className="unseen">{` ${value === 1 ? noun : `${noun}s`}`}</span>
        </Heading>
      </Box>
      {step('plus', `One ${noun} more`, value + 1, value >= most)}
    </Row>
  );
};

/** A number that is animated when it changes. */
export const Ticking = ({ value }: { value: number | string }) => (
  <span key={value} className="tick figures">
    {value}
  </span>
);
