import type { Catalog } from './en.ts';

/** The words of the form in Japanese. */
export const ja: Catalog = {
  'frame.title': '安全なカード入力フォーム',
  secure: '暗号化され、決済サービスにのみ送信されます',
  sandbox: 'テスト環境',
  'sandbox.hint': '実際の請求は発生しません',

  'section.card': 'カード',
  'section.billing': '請求先情報',

  'field.number': 'カード番号',
  'field.expiry': '有効期限',
  'field.cvc': 'セキュリティコード',
  'field.name': 'カードの名義',
  'field.email': 'メールアドレス',
  'field.country': '国または地域',
  'field.line1': '住所',
  'field.line2': '建物名・部屋番号',
  'field.city.city': '市区町村',
  'field.city.district': '地区',
  'field.city.post_town': '市区町村',
  'field.city.suburb': '市区町村・地区',
  'field.state.area': '地域',
  'field.state.county': '州（カウンティ）',
  'field.state.department': '県',
  'field.state.district': '地区',
  'field.state.do_si': '道・市',
  'field.state.emirate': '首長国',
  'field.state.island': '島',
  'field.state.oblast': '州',
  'field.state.parish': '教区',
  'field.state.prefecture': '都道府県',
  'field.state.province': '州・省',
  'field.state.region': '地域',
  'field.state.state': '州',
  'field.postal_code.postal': '郵便番号',
  'field.postal_code.postcode': '郵便番号',
  'field.postal_code.zip': 'ZIPコード',
  'field.postal_code.pin': '郵便番号（PIN）',
  'field.postal_code.eircode': 'Eircode',
  'field.optional': '任意',
  'field.refused': 'この内容は受け付けられませんでした。ご確認ください。',

  'placeholder.number': '1234 1234 1234 1234',
  'placeholder.expiry': '月 / 年',
  'placeholder.cvc': 'CVC',

  'cvc.help': 'セキュリティコードとは',
  'cvc.help.back': 'カード裏面の3桁の数字',
  'cvc.help.front': 'カード表面の4桁の数字',

  'number.empty': 'カード番号を入力してください。',
  'number.incomplete': 'カード番号の桁数が足りません。すべての数字を入力してください。',
  'number.luhn': 'カード番号に誤りがあります。お手元のカードをご確認ください。',
  'number.length': 'カード番号の桁数が多すぎます。お手元のカードをご確認ください。',
  'number.unknown_brand': 'カード番号ではないようです。お手元のカードをご確認ください。',
  'number.not_accepted': 'このショップでは{brand}をご利用いただけません。別のカードをお使いください。',
  'expiry.empty': 'カードの有効期限を入力してください。',
  'expiry.incomplete': '月と年を「05 / 30」のように入力してください。',
  'expiry.month': '月は01から12の間で入力してください。',
  'expiry.past': 'このカードは有効期限が切れています。日付をご確認いただくか、別のカードをお使いください。',
  'expiry.far_future': '有効期限が先すぎます。カードの年をご確認ください。',
  'cvc.empty': 'セキュリティコードを入力してください。',
  'cvc.incomplete': 'セキュリティコードの桁数が足りません。すべての数字を入力してください。',
  'cvc.length': 'セキュリティコードの桁数が多すぎます。',
  'name.empty': 'カードに記載の名義を入力してください。',
  'email.empty': 'メールアドレスを入力してください。',
  'email.incomplete': 'メールアドレスを「name@example.com」のように最後まで入力してください。',
  'email.format': 'メールアドレスをご確認ください。「name@example.com」のような形式です。',
  'country.empty': '国または地域を選択してください。',
  'line1.empty': '住所を入力してください。',
  'city.empty': 'この項目を入力してください。',
  'state.empty': 'この項目を入力してください。',
  'postal_code.empty': '郵便番号を入力してください。',
  'postal_code.empty.postcode': '郵便番号を入力してください。',
  'postal_code.empty.zip': 'ZIPコードを入力してください。',
  'postal_code.empty.pin': '郵便番号（PIN）を入力してください。',
  'postal_code.empty.eircode': 'Eircodeを入力してください。',
  'postal_code.pattern': '郵便番号をご確認ください。この国では「{example}」のような形式です。',
  'postal_code.unusual':
    'この内容でよろしいですか。この国では通常「{example}」のような形式です。正しい場合は、もう一度お支払いボタンを押してください。',
  'text.too_long': '文字数が多すぎます。{max}文字以内で入力してください。',

  pay: '{amount}を支払う',
  'pay.busy': 'お支払い処理中…',
  'action.try_again': 'もう一度試す',
  'action.check_status': '状況を確認する',

  total: '合計',
  details: '内訳',
  'summary.amount': '金額',
  'summary.shipping': '送料',
  'summary.tax': '税',
  'summary.discount': '割引',
  'summary.adjustment': '調整額',
  'summary.fee': '決済手数料',
  'summary.quantity': '{quantity} × {price}',

  'notice.loading': 'お支払いフォームを読み込んでいます…',
  'notice.load_failed': 'お支払いフォームを読み込めませんでした。',
  'notice.confirming': 'お支払いを確認しています。このページを開いたままお待ちください。',
  'notice.still_confirming':
    '引き続き銀行からの確認を待っています。このご注文が二重に請求されることはありません。',
  'notice.yielding': '別のウィンドウでこのご注文のお支払いが進んでいます。少々お待ちください。',
  'notice.press_again': '合計金額をご確認のうえ、もう一度お支払いボタンを押してください。',
  'notice.too_small': '表示領域が狭いため、お支払いいただけません。ウィンドウを大きくしてください。',
  'notice.not_sent':
    '別のウィンドウでお支払いが進んでいたため、こちらからは何も送信されていません。お支払いを続ける場合は、お支払いボタンを押してください。',
  'notice.started_over':
    '前回のお支払い手続きは終了し、請求はされていません。もう一度お支払いいただけます。カード情報を再度入力してください。',
  'notice.processing': 'お支払いを処理しています。このページを開いたままお待ちください。',
  'notice.unknown':
    '結果を確認できませんでした。もう一度お支払いにならないでください。状況を確認するか、ショップにお問い合わせください。',
  'notice.total_changed':
    '合計金額が{previous}から{current}に変わりました。ご確認のうえ、もう一度お支払いボタンを押してください。',
  'notice.throttled': '試行回数が多すぎます。{time}後にもう一度お試しいただけます。',
  'notice.canceled': 'このお支払いはキャンセルされたため、お支払いいただけません。',
  'notice.exhausted': '試行回数の上限に達しました。このお支払いはもうご利用いただけません。',
  'notice.unavailable': 'ショップは現在このお支払いを受け付けられません。',
  'notice.offline': 'オフラインです。接続が回復するとお支払いいただけます。',
  'notice.not_charged':
    '決済サービスに接続できず、お支払いは記録されていません。もう一度お試しください。このご注文が二重に請求されることはありません。',
  'notice.details_refused':
    '一部の内容が受け付けられませんでした。ご確認のうえ、もう一度お支払いボタンを押してください。',
  'notice.check_again':
    '請求はされていません。合計金額をご確認のうえ、もう一度お支払いボタンを押してください。',

  'notice.succeeded': 'お支払いが完了しました',
  'success.detail': 'お支払い金額：{amount}',

  'decline.generic': 'カードが承認されませんでした。入力内容をご確認いただくか、別のカードをお使いください。',
  'decline.insufficient_funds': 'カードの残高または利用限度額が不足しています。別のカードをお使いください。',
  'decline.expired_card':
    'このカードは有効期限が切れています。有効期限をご確認いただくか、別のカードをお使いください。',
  'decline.incorrect_cvc': 'セキュリティコードが正しくありません。ご確認のうえ、もう一度お試しください。',
  'decline.incorrect_number': 'カード番号が正しくありません。ご確認のうえ、もう一度お試しください。',
  'decline.processing':
    'ただいま銀行からの応答がありませんでした。少し待ってからもう一度お試しいただくか、別のカードをお使いください。',
  'decline.authentication':
    '銀行でご本人の確認ができませんでした。もう一度お試しいただくか、別のカードをお使いください。',
  'decline.incorrect_expiry': '有効期限が正しくありません。ご確認のうえ、もう一度お試しください。',
  'decline.incorrect_address':
    '請求先住所がこのカードと一致しません。ご確認いただくか、別のカードをお使いください。',
  'decline.not_supported': 'このカードは今回のお支払いにご利用いただけません。別のカードをお使いください。',
  'decline.duplicate':
    '直前のお支払いと重複しているため、銀行で承認されませんでした。最近のお支払いをご確認のうえ、もう一度お試しください。',
};
