import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { Box, Row } from './box.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Text } from './text.tsx';

export interface Around {
  readonly label: string;
  /** Empty marks the field as invalid when an earlier field shows the same message. */
  readonly error?: string;
  readonly hint?: ReactNode;
  readonly optional?: boolean;
}

export interface Wired {
  readonly id: string;
  readonly 'aria-invalid': boolean | undefined;
  readonly 'aria-describedby': string | undefined;
}

export const Labelled = ({
  label,
  error,
  hint,
  optional,
  children,
}: Around & { children: (wired: Wired) => ReactNode }) => {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <Box gap="$8">
      <label htmlFor={id} id={`${id}-label`}>
        <Text size="small" strong>
          <span>{label}</span>
          {optional ? (
            <Text size="small" tone="dim">
              {' (optional)'}
            </Text>
          ) : null}
        </Text>
      </label>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': described || undefined,
      })}
      {error ? (
        <Row id={`${id}-error`} gap="$8" alignItems="flex-start" color="$bad">
          <Text size="small" tone="bad">
            {error}
          </Text>
        </Row>
      ) : null}
      {hint ? (
        // Live, so that the consequence of a choice is announced as it is made.
        <Box id={`${id}-hint`} aria-live="polite">
          <Text size="small" tone="dim">
            {hint}
          </Text>
        </Box>
      ) : null}
    </Box>
  );
};

type Plain<Props> = Omit<Props, 'className' | 'style' | 'id'>;

export const Field = ({
  label,
  error,
  hint,
  optional,
  ...input
}: Around & Plain<InputHTMLAttributes<HTMLInputElement>> & { ref?: React.Ref<HTMLInputElement> }) => (
  <Labelled {...{ label, error, hint, optional }}>
    {(wired) => <input className="field-input" {...wired} {...input} />}
  </Labelled>
);

export const TextArea = ({
  label,
  error,
  hint,
  optional,
  ...input
}: Around & Plain<TextareaHTMLAttributes<HTMLTextAreaElement>>) => (
  <Labelled {...{ label, error, hint, optional }}>
    {(wired) => <textarea className="field-input" rows={4} {...wired} {...input} />}
  </Labelled>
);

export interface Option {
  readonly value: string;
  readonly label: string;
}

const optionsOf = (options: readonly Option[]) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

export const Select = ({
  label,
  error,
  hint,
  optional,
  options,
  ...select
}: Around & Plain<SelectHTMLAttributes<HTMLSelectElement>> & { options: readonly Option[] }) => (
  <Labelled {...{ label, error, hint, optional }}>
    {(wired) => (
      <select className="field-input" {...wired} {...select}>
        {optionsOf(options)}
      </select>
    )}
  </Labelled>
);

export const RoundSelect = ({
  label,
  options,
  ...select
}: { label: string; options: readonly Option[] } & Plain<SelectHTMLAttributes<HTMLSelectElement>>) => (
  <select className="field-input" data-round="" aria-label={label} {...select}>
    {optionsOf(options)}
  </select>
);

export const RoundInput = ({
  icon,
  label,
  ...input
}: { icon: IconName; label: string } & Plain<InputHTMLAttributes<HTMLInputElement>> & {
    ref?: React.Ref<HTMLInputElement>;
  }) => (
  <Box position="relative" flexGrow={1}>
    <Box position="absolute" left={16} top={0} bottom={0} justifyContent="center" pointerEvents="none">
      <Icon name={icon} size={18} />
    </Box>
    <input className="field-input" data-round="" data-lead="" aria-label={label} {...input} />
  </Box>
);

export const Check = ({
  label,
  ...input
}: { label: ReactNode } & Plain<InputHTMLAttributes<HTMLInputElement>>) => (
  <Row render="label" gap="$12" minHeight={44}>
    <input type="checkbox" className="check" {...input} />
    <Text>{label}</Text>
  </Row>
);

export const Pair = ({ children }: { children: ReactNode }) => <div className="pair">{children}</div>;
