import './theme/staff.css';
import { type ReactNode, useEffect, useRef } from 'react';

const Sign = ({ yes }: { yes: boolean }) => (
  <svg viewBox="0 0 96 96" className="answer-sign" aria-hidden="true" focusable="false">
    <circle cx="48" cy="48" r="44" fill="none" stroke="currentColor" strokeWidth="5" />
    <path
      d={yes ? 'M27 50 L42 65 L70 34' : 'M32 32 L64 64 M64 32 L32 64'}
      fill="none"
      stroke="currentColor"
      strokeWidth="9"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

export const AnswerScreen = ({
  yes,
  label,
  children,
  onClose,
}: {
  yes: boolean;
  label: string;
  children: ReactNode;
  onClose: () => void;
}) => {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      className="answer"
      data-yes={yes}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <Sign yes={yes} />
      {children}
    </dialog>
  );
};
