/** Returns true if the last digit is the check digit that ISO/IEC 7812-1 derives from the others. */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let place = 1; place <= digits.length; place++) {
    const digit = Number(digits[digits.length - place]);
    const weighed = place % 2 === 0 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return digits !== '' && sum % 10 === 0;
};
