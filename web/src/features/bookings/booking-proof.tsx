import { useEffect, useRef } from 'react';
import type { Booking } from '#domain/contracts/bookings.ts';
import { ProofFold } from '#web/features/proof/proof-fold.tsx';
import { useBookingProof } from '#web/features/proof/proofs.ts';

export const Proof = ({
  booking,
  asked,
  open,
  onOpen,
}: {
  booking: Booking;
  asked: boolean;
  open: boolean;
  onOpen: (open: boolean) => void;
}) => {
  const proof = useBookingProof(booking, open);
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (asked) place.current?.scrollIntoView({ block: 'center' });
  }, [asked]);
  return (
    <ProofFold
      ref={place}
      open={open}
      onOpen={onOpen}
      proof={proof}
      subject="This booking"
      name={`receipt-${booking.reference}`}
    />
  );
};
