/** `"1250.00"` → `"£1,250.00"`. */
export const pounds = (amount: string): string => {
  const [whole = '0', pence = '00'] = amount.split('.');
  return `£${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${pence}`;
};

/** `"28.50"` → `"£28.50"`, `"0.00"` → `"Free"`. */
export const priceOf = (amount: string): string => (Number(amount) === 0 ? 'Free' : pounds(amount));
