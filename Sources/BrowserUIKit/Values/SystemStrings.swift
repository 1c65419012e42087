/// Words that the system brings.
enum SystemStrings: String {
    case done, cancel, edit, save, refresh, close, back, delete, increment, decrement, insert, clear, copy, mail,
        message, select, reorder
    case grabber = "sheet grabber"

    func text(in language: String?) -> String {
        let japanese: [SystemStrings: String] = [
            .done: "完了", .cancel: "キャンセル", .edit: "編集", .save: "保存", .refresh: "更新", .close: "閉じる",
            .back: "戻る", .delete: "削除",
            .increment: "増やす", .decrement: "減らす", .insert: "挿入", .clear: "消去",
            .copy: "コピー", .mail: "メール", .message: "メッセージ", .select: "選択", .reorder: "並べ替え",
            .grabber: "シートグラバー",
        ]
        if language?.hasPrefix("ja") == true, let text = japanese[self] { return text }
        return rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
}
