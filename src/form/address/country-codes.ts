/** Two-letter codes, grouped by their first letter: "ADE" is AD and AE. */
export const codesOf = (listed: string): readonly string[] =>
  listed.split(' ').flatMap(([first, ...rest]) => rest.map((second) => `${first}${second}`));

/** The 249 officially assigned codes of ISO 3166-1 alpha-2. */
export const COUNTRIES: readonly string[] = codesOf(
  'ADEFGILMOQRSTUWXZ BABDEFGHIJLMNOQRSTVWYZ CACDFGHIKLMNORUVWXYZ DEJKMOZ ECEGHRST FIJKMOR GABDEFGHILMNPQRSTUWY ' +
    'HKMNRTU IDELMNOQRST JEMOP KEGHIMNPRWYZ LABCIKRSTUVY MACDEFGHKLMNOPQRSTUVWXYZ NACEFGILOPRUZ OM ' +
    'PAEFGHKLMNRSTWY QA REOSUW SABCDEGHIJKLMNORSTVXYZ TCDFGHJKLMNORTVWZ UAGMSYZ VACEGINU WFS YET ZAMW',
);
