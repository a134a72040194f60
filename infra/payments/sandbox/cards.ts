/** https://docs.stripe.com/testing. Only the last four digits and the behaviour are stored. */

export interface CardError {
  readonly code: string;
  readonly decline_code?: string;
  readonly message: string;
  readonly param?: string;
}

export interface Behaviour {
  readonly error?: CardError;
  readonly challenge?: boolean;
  readonly refunds?: 'later-success' | 'later-failure';
  readonly disputed?: true;
}

export interface UsedCard {
  readonly brand: string;
  readonly last4: string;
  readonly behaviour: Behaviour;
}

const declined = (decline_code: string, message = 'Your card was declined.'): CardError => ({
  code: 'card_declined',
  decline_code,
  message,
});
const insufficient = declined('insufficient_funds', 'Your card has insufficient funds.');

const pays: Behaviour = {};
const challenges: Behaviour = { challenge: true };

const behaviours: Readonly<Record<string, Behaviour>> = {
  '4242424242424242': pays,
  '4000056655665556': pays,
  '5555555555554444': pays,
  '2223003122003222': pays,
  '5200828282828210': pays,
  '5105105105105100': pays,
  '378282246310005': pays,
  '371449635398431': pays,
  '6011111111111117': pays,
  '6011000990139424': pays,
  '3056930009020004': pays,
  '36227206271667': pays,
  '3566002020360505': pays,
  '6200000000000005': pays,
  '4000008260000000': pays,
  '4000058260000005': pays,
  '5555558265554449': pays,
  '4000000000000077': pays,
  '4000000000003055': pays,
  '4000000000000002': { error: declined('generic_decline') },
  '4000000000000341': { error: declined('generic_decline') },
  '4000000000009995': { error: insufficient },
  '4000000000009987': { error: declined('lost_card') },
  '4000000000009979': { error: declined('stolen_card') },
  '4000000000006975': {
    error: declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  },
  '4100000000000019': { error: declined('fraudulent') },
  '4000000000000069': {
    error: {
      code: 'expired_card',
      decline_code: 'expired_card',
      message: 'Your card has expired.',
      param: 'exp_month',
    },
  },
  '4000000000000127': {
    error: {
      code: 'incorrect_cvc',
      decline_code: 'incorrect_cvc',
      message: 'Your card’s security code is incorrect.',
      param: 'cvc',
    },
  },
  '4000000000000119': {
    error: {
      code: 'processing_error',
      decline_code: 'processing_error',
      message: 'An error occurred while processing your card. Try again in a little bit.',
    },
  },
  '4000002500003155': challenges,
  '4000002760003184': challenges,
  '4000003800000446': challenges,
  '4000000000003220': challenges,
  '4000000000003063': challenges,
  '4000008260003178': { challenge: true, error: insufficient },
  '4000008400001629': { challenge: true, error: declined('generic_decline') },
  '4000000000000259': { disputed: true },
  '4000000000007726': { refunds: 'later-success' },
  '4000000000005126': { refunds: 'later-failure' },
};

const brandOf = (number: string): string => {
  if (number.startsWith('4')) return 'visa';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  if (/^3[47]/.test(number)) return 'amex';
  if (/^6(011|5)/.test(number)) return 'discover';
  if (/^3[068]/.test(number)) return 'diners';
  return number.startsWith('35') ? 'jcb' : 'unionpay';
};

const hasCheckDigit = (number: string): boolean => {
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
};

export interface TypedCard {
  readonly number: string | undefined;
  readonly expMonth: string | undefined;
  readonly expYear: string | undefined;
  readonly cvc: string | undefined;
}

const invalid = (code: string, message: string, param: string): CardError => ({ code, message, param });

const expired = (month: number, year: number, now: Date): boolean =>
  year < now.getUTCFullYear() || (year === now.getUTCFullYear() && month < now.getUTCMonth() + 1);

export const readCard = (typed: TypedCard, now: Date): UsedCard | { readonly wrong: CardError } => {
  const number = (typed.number ?? '').replace(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(number) || !hasCheckDigit(number)) {
    return { wrong: invalid('incorrect_number', 'Your card number is incorrect.', 'number') };
  }
  const month = Number(typed.expMonth);
  if (!(Number.isInteger(month) && month >= 1 && month <= 12)) {
    return {
      wrong: invalid('invalid_expiry_month', 'Your card’s expiration month is invalid.', 'exp_month'),
    };
  }
  const given = Number(typed.expYear);
  const year = given < 100 ? 2000 + given : given;
  if (!Number.isInteger(year) || year > 2100 || expired(month, year, now)) {
    return { wrong: invalid('invalid_expiry_year', 'Your card’s expiration year is invalid.', 'exp_year') };
  }
  if (typed.cvc !== undefined && !/^\d{3,4}$/.test(typed.cvc)) {
    return { wrong: invalid('invalid_cvc', 'Your card’s security code is invalid.', 'cvc') };
  }
  const behaviour = behaviours[number] ?? {
    error: declined(
      'test_mode_live_card',
      'Your card was declined. Only the provider’s test cards work here.',
    ),
  };
  return { brand: brandOf(number), last4: number.slice(-4), behaviour };
};
