/** Dates are `YYYY-MM-DD`. A birthday on 29 February falls on 1 March in other years. */
export const isOfAge = (dateOfBirth: string, age: number, day: string): boolean =>
  `${Number(dateOfBirth.slice(0, 4)) + age}${dateOfBirth.slice(4)}` <= day;
