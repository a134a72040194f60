import { Box, Row } from './box.tsx';
import { IconButton } from './button.tsx';
import { Heading } from './text.tsx';

/** At a bound, `aria-disabled` keeps the keyboard focus. */
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
  noun: string;
  disabled?: boolean;
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

export const Ticking = ({ value }: { value: number | string }) => (
  <span key={value} className="tick figures">
    {value}
  </span>
);
