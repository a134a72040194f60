export interface Question {
  readonly question: string;
  readonly answer: string;
}
export interface FaqSection {
  readonly title: string;
  readonly questions: readonly Question[];
}

export const faq: readonly FaqSection[] = [
  {
    title: 'Getting Started',
    questions: [
      {
        question: 'How do I create an account?',
        answer:
          'Press “Sign In”, then “Create an account”. You need an email address and a password, or a Google account. We send you a link that confirms your address; booking needs it.',
      },
      {
        question: 'Why do you ask for my date of birth?',
        answer:
          'Some rooms have an age limit. Besides you, only those who run the site see it, and it is destroyed with your account.',
      },
      {
        question: 'The verification mail didn’t arrive. What now?',
        answer:
          'Look in your spam folder, then ask for a new one in your profile. The link works for 24 hours.',
      },
    ],
  },
  {
    title: 'Booking & Payments',
    questions: [
      {
        question: 'How many tickets can I buy?',
        answer: 'Up to ten in one booking. They are held for you for 15 minutes while you pay.',
      },
      {
        question: 'Which cards do you take, and in which currency?',
        answer:
          'All common credit and debit cards. All prices are in pounds sterling, and there is no booking fee. Payments appear on your statement within 1-2 business days.',
      },
      {
        question: 'Where is my ticket?',
        answer:
          'In your profile as a PDF, and attached to the confirmation mail. Show its code at the door, on paper or on your phone. If your phone is lost, sign in on any other device.',
      },
      {
        question: 'Can I cancel, and what do I get back?',
        answer:
          'Yes, in your profile. Refunds are generally available up to 24 hours before the event: seven days (168 hours) or more ahead you get 100% back, after that 80%, and in the last 24 hours nothing. Before you confirm we tell you the exact amount. Refunds reach your card within 5-10 business days.',
      },
      {
        question: 'I paid, but the page broke. Is my money gone?',
        answer:
          'No. If the payment went through, the booking is completed without you, or all of it comes back to your card. Look in your profile after a minute: your tickets are there.',
      },
      {
        question: 'My card was refused. Have I paid?',
        answer:
          'No. Nothing is charged when a card is declined, and your tickets stay held while the time runs. Try once more, or another card; your bank can say why.',
      },
    ],
  },
  {
    title: 'Account Management',
    questions: [
      {
        question: 'I forgot my password.',
        answer:
          'Press “Forgot password?” where you sign in. The link that we send works once, for 30 minutes.',
      },
      {
        question: 'How do I delete my account?',
        answer:
          'In your profile, under “Delete Account”. Upcoming bookings are cancelled under the usual rule, and the dialog says what you get back. It can’t be undone.',
      },
    ],
  },
  {
    title: 'Events & Venues',
    questions: [
      {
        question: 'What if an event is moved or called off?',
        answer:
          'We write to you. If it is moved, you may cancel for the full amount. If it is called off, you get all of it back by itself.',
      },
      {
        question: 'Can several people come in with one code?',
        answer:
          'Yes. The first page’s code lets your whole party in. Each further page of the PDF carries a code for one person, for those who come later.',
      },
    ],
  },
];

const wordsOf = (text: string): readonly string[] => {
  const all = text.toLowerCase().split(/\s+/).filter(Boolean);
  const long = all.filter((word) => word.length > 3).map((word) => word.replace(/s$/, ''));
  return long.length > 0 ? long : all;
};

export const searchFaq = (text: string): readonly FaqSection[] => {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return faq;
  return faq
    .map((section) => ({
      ...section,
      questions: section.questions.filter(({ question, answer }) => {
        const said = `${question} ${answer}`.toLowerCase();
        return wanted.every((word) => said.includes(word));
      }),
    }))
    .filter((section) => section.questions.length > 0);
};
