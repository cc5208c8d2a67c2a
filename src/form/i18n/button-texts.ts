/** The button's text instead of "Pay", by language: the option `buttonType`. */
import type { CardFormButtonType } from '../channel/button-types.ts';
import type { Language } from './languages.ts';

/** The button's text by language; if there is none, the button says "Pay". */
export type ButtonTexts = Readonly<Partial<Record<Language, string>>>;

/** The types of buttons with their own words. The catalogs have those of `pay`. */
type WordedType = Exclude<CardFormButtonType, 'pay'>;

/**
 * Every text says, beside the total, that the buyer pays. In the European Union a consumer is not bound by an order
 * whose button doesn't say so (Directive 2011/83/EU, article 8(2); for bookings the Court of Justice, C-249/21).
 * `order` uses the words that the law of a language's country prescribes, if any.
 */
export const BUTTON_TEXTS: Readonly<Record<Language, Readonly<Record<WordedType, string>>>> = {
  en: {
    buy: 'Buy for {amount}',
    order: 'Order and pay {amount}',
    donate: 'Donate {amount}',
    book: 'Book and pay {amount}',
    subscribe: 'Subscribe and pay {amount}',
  },
  de: {
    buy: 'Für {amount} kaufen',
    order: 'Zahlungspflichtig bestellen – {amount}',
    donate: '{amount} spenden',
    book: 'Zahlungspflichtig buchen – {amount}',
    subscribe: 'Zahlungspflichtig abonnieren – {amount}',
  },
  fr: {
    buy: 'Acheter pour {amount}',
    order: 'Commande avec obligation de paiement – {amount}',
    donate: 'Faire un don de {amount}',
    book: 'Réserver et payer {amount}',
    subscribe: 'S’abonner et payer {amount}',
  },
  es: {
    buy: 'Comprar por {amount}',
    order: 'Pedido con obligación de pago – {amount}',
    donate: 'Donar {amount}',
    book: 'Reservar y pagar {amount}',
    subscribe: 'Suscribirse y pagar {amount}',
  },
  it: {
    buy: 'Acquista per {amount}',
    order: 'Ordine con obbligo di pagare – {amount}',
    donate: 'Dona {amount}',
    book: 'Prenota e paga {amount}',
    subscribe: 'Abbonati e paga {amount}',
  },
  nl: {
    buy: 'Kopen voor {amount}',
    order: 'Bestelling met betalingsverplichting – {amount}',
    donate: '{amount} doneren',
    book: 'Boeken en {amount} betalen',
    subscribe: 'Abonneren en {amount} betalen',
  },
  pt: {
    buy: 'Comprar por {amount}',
    order: 'Encomenda com obrigação de pagar – {amount}',
    donate: 'Doar {amount}',
    book: 'Reservar e pagar {amount}',
    subscribe: 'Assinar e pagar {amount}',
  },
  pl: {
    buy: 'Kup za {amount}',
    order: 'Zamówienie z obowiązkiem zapłaty – {amount}',
    donate: 'Przekaż darowiznę {amount}',
    book: 'Zarezerwuj i zapłać {amount}',
    subscribe: 'Subskrybuj i zapłać {amount}',
  },
  sv: {
    buy: 'Köp för {amount}',
    order: 'Beställ med betalningsskyldighet – {amount}',
    donate: 'Skänk {amount}',
    book: 'Boka och betala {amount}',
    subscribe: 'Prenumerera och betala {amount}',
  },
  da: {
    buy: 'Køb for {amount}',
    order: 'Ordre med betalingspligt – {amount}',
    donate: 'Donér {amount}',
    book: 'Book og betal {amount}',
    subscribe: 'Abonnér og betal {amount}',
  },
  fi: {
    buy: 'Osta hintaan {amount}',
    order: 'Tilaa ja maksa {amount}',
    donate: 'Lahjoita {amount}',
    book: 'Varaa ja maksa {amount}',
    subscribe: 'Aloita tilaus ja maksa {amount}',
  },
  nb: {
    buy: 'Kjøp for {amount}',
    order: 'Bestill med betalingsplikt – {amount}',
    donate: 'Doner {amount}',
    book: 'Book og betal {amount}',
    subscribe: 'Abonner og betal {amount}',
  },
  cs: {
    buy: 'Koupit za {amount}',
    order: 'Objednávka zavazující k platbě – {amount}',
    donate: 'Darovat {amount}',
    book: 'Rezervovat a zaplatit {amount}',
    subscribe: 'Předplatit a zaplatit {amount}',
  },
  el: {
    buy: 'Αγορά για {amount}',
    order: 'Παραγγελία με υποχρέωση πληρωμής – {amount}',
    donate: 'Δωρεά {amount}',
    book: 'Κράτηση και πληρωμή {amount}',
    subscribe: 'Συνδρομή και πληρωμή {amount}',
  },
  ro: {
    buy: 'Cumpărați cu {amount}',
    order: 'Comandă cu obligația de a plăti – {amount}',
    donate: 'Donați {amount}',
    book: 'Rezervați și plătiți {amount}',
    subscribe: 'Abonați-vă și plătiți {amount}',
  },
  hu: {
    buy: 'Vásárlás – {amount}',
    order: 'Megrendelés fizetési kötelezettséggel – {amount}',
    donate: '{amount} adományozása',
    book: 'Foglalás és {amount} fizetése',
    subscribe: 'Előfizetés és {amount} fizetése',
  },
  et: {
    buy: 'Osta hinnaga {amount}',
    order: 'Telli maksekohustusega – {amount}',
    donate: 'Anneta {amount}',
    book: 'Broneeri ja maksa {amount}',
    subscribe: 'Alusta tellimust ja maksa {amount}',
  },
  lv: {
    buy: 'Pirkt par {amount}',
    order: 'Pasūtījums ar pienākumu maksāt – {amount}',
    donate: 'Ziedot {amount}',
    book: 'Rezervēt un maksāt {amount}',
    subscribe: 'Abonēt un maksāt {amount}',
  },
  lt: {
    buy: 'Pirkti už {amount}',
    order: 'Užsakymas su įpareigojimu sumokėti – {amount}',
    donate: 'Aukoti {amount}',
    book: 'Rezervuoti ir mokėti {amount}',
    subscribe: 'Prenumeruoti ir mokėti {amount}',
  },
  sk: {
    buy: 'Kúpiť za {amount}',
    order: 'Objednávka s povinnosťou platby – {amount}',
    donate: 'Darovať {amount}',
    book: 'Rezervovať a zaplatiť {amount}',
    subscribe: 'Predplatiť a zaplatiť {amount}',
  },
  sl: {
    buy: 'Kupi za {amount}',
    order: 'Naročilo z obveznostjo plačila – {amount}',
    donate: 'Doniraj {amount}',
    book: 'Rezerviraj in plačaj {amount}',
    subscribe: 'Naroči se in plačaj {amount}',
  },
  hr: {
    buy: 'Kupi za {amount}',
    order: 'Narudžba s obvezom plaćanja – {amount}',
    donate: 'Doniraj {amount}',
    book: 'Rezerviraj i plati {amount}',
    subscribe: 'Pretplati se i plati {amount}',
  },
  bg: {
    buy: 'Покупка за {amount}',
    order: 'Поръчка със задължение за плащане – {amount}',
    donate: 'Дарение на {amount}',
    book: 'Резервация и плащане на {amount}',
    subscribe: 'Абонамент и плащане на {amount}',
  },
  uk: {
    buy: 'Купити за {amount}',
    order: 'Замовити та сплатити {amount}',
    donate: 'Пожертвувати {amount}',
    book: 'Забронювати та сплатити {amount}',
    subscribe: 'Підписатися та сплатити {amount}',
  },
  tr: {
    buy: 'Satın al – {amount}',
    order: 'Ödeme yükümlülüğüyle sipariş ver – {amount}',
    donate: '{amount} bağışla',
    book: 'Rezervasyon yap ve {amount} öde',
    subscribe: 'Abone ol ve {amount} öde',
  },
  ja: {
    buy: '{amount}で購入する',
    order: '注文を確定して{amount}を支払う',
    donate: '{amount}を寄付する',
    book: '予約して{amount}を支払う',
    subscribe: '定期購入を始めて{amount}を支払う',
  },
  zh: {
    buy: '以 {amount} 购买',
    order: '提交订单并支付 {amount}',
    donate: '捐赠 {amount}',
    book: '预订并支付 {amount}',
    subscribe: '订阅并支付 {amount}',
  },
  'zh-Hant': {
    buy: '以 {amount} 購買',
    order: '送出訂單並支付 {amount}',
    donate: '捐款 {amount}',
    book: '預訂並支付 {amount}',
    subscribe: '訂閱並支付 {amount}',
  },
  ko: {
    buy: '{amount} 구매',
    order: '{amount} 주문 및 결제',
    donate: '{amount} 기부',
    book: '{amount} 예약 및 결제',
    subscribe: '{amount} 구독 및 결제',
  },
  th: {
    buy: 'ซื้อในราคา {amount}',
    order: 'สั่งซื้อและชำระ {amount}',
    donate: 'บริจาค {amount}',
    book: 'จองและชำระ {amount}',
    subscribe: 'สมัครรับบริการและชำระ {amount}',
  },
  vi: {
    buy: 'Mua với giá {amount}',
    order: 'Đặt hàng và thanh toán {amount}',
    donate: 'Quyên góp {amount}',
    book: 'Đặt chỗ và thanh toán {amount}',
    subscribe: 'Đăng ký và thanh toán {amount}',
  },
  id: {
    buy: 'Beli seharga {amount}',
    order: 'Pesan dan bayar {amount}',
    donate: 'Donasikan {amount}',
    book: 'Pesan tempat dan bayar {amount}',
    subscribe: 'Berlangganan dan bayar {amount}',
  },
  ar: {
    buy: 'شراء مقابل {amount}',
    order: 'تأكيد الطلب ودفع {amount}',
    donate: 'التبرع بمبلغ {amount}',
    book: 'تأكيد الحجز ودفع {amount}',
    subscribe: 'الاشتراك ودفع {amount}',
  },
  he: {
    buy: 'קנייה בסך {amount}',
    order: 'הזמנה ותשלום {amount}',
    donate: 'תרומה בסך {amount}',
    book: 'הזמנת מקום ותשלום {amount}',
    subscribe: 'הרשמה למינוי ותשלום {amount}',
  },
};

const isWorded = (type: string): type is WordedType => Object.hasOwn(BUTTON_TEXTS.en, type);

/** The button's text for this type, by language; empty for `pay`; null if there is no such type. */
export const buttonTexts = (type: string): ButtonTexts | null => {
  if (type === 'pay') return {};
  if (!isWorded(type)) return null;
  return Object.fromEntries(Object.entries(BUTTON_TEXTS).map(([language, texts]) => [language, texts[type]]));
};
