import { type Clause, LegalText } from './legal-text.tsx';

const clauses: readonly Clause[] = [
  {
    title: 'What is needed',
    text: 'One cookie keeps you signed in, and one protects your requests from being forged. A third remembers for a year that you signed in on this device, so that nobody who guesses at your password can lock you out here, and a fourth for as long that you answered the cookie question. All are from this site, and it can’t sell tickets safely without them.',
  },
  {
    title: 'What is remembered in your browser',
    text: 'Your answer to the cookie question, whether you were signed in, how far you have seen what you did, and what you chose in a checkout until you close its tab. None of it leaves your browser for anybody else.',
  },
  {
    title: 'When you pay',
    text: 'The payment provider sets cookies of its own on the page where you pay, to recognise fraud.',
  },
  {
    title: 'What we don’t do',
    text: 'There are no advertising cookies and no tracking across sites here, whichever button you press.',
  },
];

export const CookiesPage = () => (
  <LegalText title="Cookie Policy" version="Version 3, 24 November 2026" clauses={clauses} />
);
