import { createPayment } from '../../shop.mjs';

export default defineEventHandler((event) => createPayment(String(getQuery(event).order)));
