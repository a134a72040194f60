import { type Clause, LegalText } from './legal-text.tsx';

const clauses: readonly Clause[] = [
  {
    title: 'Your ticket',
    text: 'A ticket lets in as many people as it says, once, at the event that it names. Its code can be used by whoever holds it: keep it to yourself. A reissued ticket replaces the older one.',
  },
  {
    title: 'Prices and payment',
    text: 'Prices are in pounds sterling. The total that you confirm is what your card is charged, and nothing is added later. Tickets are held for 15 minutes while you pay. If the last ticket goes while you pay, you get all of it back.',
  },
  {
    title: 'Cancelling',
    text: 'You may cancel a booking that has not been used, until the event starts. 168 hours or more before the start you get 100% back, from 24 hours up to 168 hours 80%, later nothing. The rule that held when you booked stays yours. Refunds reach your card within 5-10 business days.',
  },
  {
    title: 'If the event changes',
    text: 'If it is moved, you may cancel for the full amount. If it is called off, you get the full amount without asking.',
  },
  {
    title: 'At the venue',
    text: 'The venue’s rules hold inside, age limits included. Sales close when the event starts.',
  },
  {
    title: 'Your account',
    text: 'Keep your password to yourself. We may close accounts that are used to cheat others or to resell tickets above their price; tickets bought by then are paid back under the rule above.',
  },
];

export const TermsPage = () => (
  <LegalText title="Terms of Service" version="Version 1, 26 September 2026" clauses={clauses} />
);
