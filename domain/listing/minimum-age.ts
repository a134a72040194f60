/** Dates are `YYYY-MM-DD`. Outside leap years, a birthday on 29 February is on 1 March. */
export const isOfAge = (dateOfBirth: string, age: number, day: string): boolean =>
  `${Number(dateOfBirth.slice(0, 4)) + age}${dateOfBirth.slice(4)}` <= day;
