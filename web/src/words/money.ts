/** `"1250.00"` → `"£1,250.00"`. */
export const pounds = (amount: string): string => {
  const [whole = '0', pence = '00'] = amount.split('.');
  return `£${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${pence}`;
};

/** A price as a card shows it: `"£28.50"`, or `"Free"`. */
export const priceOf = (amount: string): string => (Number(amount) === 0 ? 'Free' : pounds(amount));
