"""Word lists: function words by language, words too common to link, headings that name no subject.

All forms are folded (`folding.fold`). Vietnamese is listed by syllable, as it is tokenised.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS: dict[str, frozenset[str]] = {
    "en": _words("""
        a about above across after again against all almost along already also although always am
        among an and another any anybody anyone anything are aren't around as at away be became
        because become becomes been before being below between both but by can can't cannot could
        couldn't did didn't do does doesn't doing don't done down during each either else enough
        etc even ever every everyone everything few for from further get gets got had hadn't has
        hasn't have haven't having he he'd he'll he's her here here's hers herself him himself his
        how how's however i i'd i'll i'm i've if in instead into is isn't it it's its itself just
        let let's lot lots many may maybe me might mine more moreover most much must mustn't my
        myself neither never no nobody none nor not nothing now of off often on once one only onto
        or other others otherwise ought our ours ourselves out over own per perhaps quite rather
        really same shall she she'd she'll she's should shouldn't since so some somebody someone
        something sometimes somewhat still such tell than that that's the their theirs them
        themselves then there there's therefore these they they'd they'll they're they've thing
        things this those though through throughout thus till to together too toward towards under
        until unto up upon us use used uses using usually very via was wasn't we we'd we'll we're
        we've well were weren't what what's whatever when when's whenever where where's whereas
        wherever whether which whichever while who who's whoever whole whom whose why why's will
        with within without won't would wouldn't yet you you'd you'll you're you've your yours
        yourself yourselves
        """),
    "vi": _words("""
        ai bao bằng bị bởi các cái càng chỉ cho chứ chưa chúng có còn con cũng của cùng do dù dưới
        đã đang đâu đây để đến đều đi đó được đấy gì giữa hay hãy hầu hoặc hơn khi không khác kia
        là lại lên lúc luôn mà mỗi một mọi mình nào này nay nên nếu nó những nhưng nhiêu như nhau
        nhằm nhất nữa ở phải qua quá ra rằng rất rồi sao sau sẽ sự ta tại thế thì theo thì thôi
        tới tôi trên trong trước từ từng tuy và vào vẫn vì với vừa vậy về việc đối bên
        """),
    "zh": _words("""
        的 了 和 是 在 有 与 及 或 而 就 都 也 还 又 再 很 更 最 不 没 没有 把 被 给 让 使 向 从
        到 对 对于 关于 由 由于 因为 所以 因此 但 但是 然而 如果 虽然 即使 以 以及 以及其 为 为了
        于 之 其 其中 此 这 那 这个 那个 这些 那些 这样 那样 这里 那里 哪 哪里 哪个 哪些 什么 怎么
        怎样 如何 为什么 为何 何时 何 谁 多少 几 吗 呢 吧 啊 呀 嘛 我 你 您 他 她 它 我们 你们
        他们 她们 它们 自己 一个 一种 一些 可以 能 能够 会 要 应该 应 该 将 已 已经 正在 着 过 地
        得 所 等 等等 并 并且 且 则 若 只 只有 只是 才 便 却 非常 比较 进行 通过 作为 之间 之后
        之前 以后 以前 时候 一样 同时 另外 而且 或者 还是 不是 就是 也是 都是 可能 需要 其他 某
        某个 每 每个 各 各种 上 下 中 里 内 外 后 前 這 這個 這些 那裡 這裡 什麼 怎麼 為 為了
        為什麼 與 還 沒 沒有 對 對於 從 將 會 應該 來 来 去 說 说 讓 給 後 裡 個 个 們 们 過 於 並
        並且 則 誰 嗎 幾 這樣 那麼 那么 因為 雖然 還是 可能 請 请 请问
        """),
    "ja": _words("""
        の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など
        なっ ない この ため その あっ よう また もの という あり まで られ なる へ か だ これ
        によって により おり より による ず なり られる において ば なかっ なく しかし について せ
        だっ その後 できる それ う ので なお のみ でき き つ における および いう さらに でも ら
        たり その他 に関する たち ます ん なら です ました ません でした どこ いつ 誰 だれ 何 なに
        なぜ どう どの どれ いくつ とは ですか ますか ください それぞれ ここ そこ あそこ
        """),
    "de": _words("""
        aber als am an auch auf aus bei beim bin bis bist da damit dann das dass dein dem den denn
        der des dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine
        einem einen einer eines er es etwas für gegen haben hat hatte hatten ich ihr ihre ihrem
        ihren im immer in ins ist ja jede jeder jedes jetzt kann kein keine können könnte man mehr
        mein mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine seit sich
        sie sind so soll sollte sondern sowie über um und uns unser unter viel vom von vor war
        waren warum was weil welche welcher welches wenn wer werden weshalb wie wieder wieviele
        will wir wird wo wurde wurden zu zum zur zwischen
        """),
    "fr": _words("""
        a afin ai ainsi alors au aucun aussi autre aux avait avant avec avoir c'est car ce ceci
        cela celle celui ces cet cette chez comme comment d'un d'une dans de depuis des donc dont
        du elle elles en entre est et étaient était été être eux fait faire il ils je jusque l'on
        la là le les leur leurs lors lui ma mais me même mes mon n'est ne ni nos notre nous on ont
        ou où par parce pas pendant peut plus plusieurs pour pourquoi qu'est quand que quel quelle
        quelles quels qui quoi sa sans se selon sera ses si son sont sous sur ta te tes ton tous
        tout toute toutes très tu un une vers vos votre vous y
        """),
    "es": _words("""
        a al algo algunos ante antes aquel aquella así aunque cada como cómo con contra cual cuál
        cuáles cuando cuándo cuánto cuántos de del desde donde dónde dos durante e el él ella
        ellas ellos en entre era eran es esa ese eso esta está están estar este esto estos fue
        fueron ha había han hasta hay la las le les lo los más me mi mientras muy nada ni no nos
        nosotros o otra otro para pero poco por porque puede que qué quien quién quiénes se ser si
        sí sido sin sino sobre son su sus también tan tanto te tener tiene toda todo todos tu un
        una uno unos y ya yo
        """),
}
"""Function words by ISO 639-1 language: what `language` counts."""

_CONTENT_IN_ENGLISH = _words("""
    ai art bald bin bis car comment con cho den die dies elle fait hat hay man par pas plus pour
    ra rat sa ser sin son sous sur tan ton war
    """)
"""Function words elsewhere that name things in English: "AI", "car", "man", "war"."""

STOP_WORDS: frozenset[str] = frozenset[str]().union(*FUNCTION_WORDS.values()) - _CONTENT_IN_ENGLISH
"""Words of any of these languages that never decide a search."""

GENERIC_HEADINGS: frozenset[str] = frozenset(
    name.replace("·", " ")
    for name in _words(
        """
        abstract about acknowledgements acknowledgments additional·resources advantages appendix
        background basics bibliography body caveats changelog chapter citations conclusion
        conclusions contents contributors cons credits definition definitions description details
        disadvantages discussion documentation example examples exercises external·links faq
        features final·thoughts footnotes foreword further·reading future·work general
        getting·started glossary highlights home how·it·works how·to·use index installation intro
        introduction key·points key·takeaways learn·more license limitations links main methods
        methodology misc miscellaneous more motivation next·steps note notes objectives options
        other others outline overview part preface prerequisites problem pros pros·and·cons
        questions quick·start quickstart readme recap reference references related related·pages
        related·work remarks requirements resources results section see·also setup solution source
        sources summary table·of·contents takeaways tips tl;dr tldr todo troubleshooting untitled
        usage warning what's·new bài·tập bảng·thuật·ngữ bối·cảnh các·bước cài·đặt câu·hỏi
        câu·hỏi·thường·gặp chi·tiết chú·thích chương đặt·vấn·đề định·nghĩa ghi·chú giới·thiệu
        giới·thiệu·chung hướng·dẫn hướng·dẫn·sử·dụng kết·luận kết·quả khái·niệm khái·quát liên·kết
        liên·kết·ngoài liên·quan lời·cảm·ơn lời·kết lời·mở·đầu lời·nói·đầu lưu·ý mô·tả mở·đầu
        mục·lục mục·tiêu nguồn nhược·điểm nội·dung phần phụ·lục tài·liệu·tham·khảo tham·khảo
        thảo·luận tóm·lại tóm·tắt tổng·kết tổng·quan ưu·điểm ưu·nhược·điểm ví·dụ xem·thêm yêu·cầu
        安装 安裝 背景 备注 備註 参见 参考 参考链接 参考文献 参考资料 參考 參考資料 常见问题 附录
        附錄 概述 概要 概览 感想 关于 后记 简介 簡介 介绍 介紹 结论 結論 结果 结语 例子 链接 目录
        目錄 目标 其他 其它 前言 缺点 如何使用 什么是 实例 示例 使用 使用方法 说明 說明 提示 讨论
        推荐阅读 问题 问题描述 文档 相关 相关链接 相关阅读 写在前面 小结 序 序言 延伸阅读 要点
        优点 优缺点 引言 原文 原因 正文 致谢 注意 注意事项 摘要 综述 总结 總結 资源 解决 解决办法
        解决方案 解决方法 あとがき はじめに まとめ おわりに 参考リンク 使い方 例 目次 例題 結果
        einleitung zusammenfassung überblick inhalt inhaltsverzeichnis fazit literatur quellen
        anhang hinweise beispiele résumé sommaire références annexe exemples présentation
        introducción resumen conclusión conclusiones referencias ejemplos índice
        """
    )
)
"""Headings (·: a space) that say what part of a text they open, not what it is about."""

COMMON_WORDS: frozenset[str] = frozenset(
    word.replace("·", " ")
    for word in _words(
        """
        ability access account action activity address agent amount analysis answer application
        approach area argument article attention author background bank base basis beginning
        benefit block board body book box break bridge brief bug building business button call
        capital card care case category cause center chain chance change character charge check
        child choice city class client clock code collection color command comment common
        community company comparison competition complex computer concept concern condition
        connection content context control copy core cost count country course cover creation
        culture current customer cycle data date day deal decision default demand design detail
        development device difference direction discussion distance document domain door drive
        edge edit education effect effort element energy engine entry environment error event
        evidence exchange experience expert face fact factor failure family feature field figure
        file filter fire flow focus food force form format frame free friend function future game
        gap general goal good government graph green ground group growth guide hand hard head
        health heart help high history home hope hour house human idea image impact important
        improvement index individual industry information input instance interest interface issue
        item job key kind knowledge label language large law layer lead learning left length level
        library life light limit line link list local location log logic loop love machine main
        management manager map market match material matter meaning measure media meeting member
        memory message method mind minute mode model module moment money month music name nature
        need network new news node number object offer office open operation opinion option order
        organization output owner page paper parent part party past path pattern people
        performance period person phone phrase picture piece place plan platform play point policy
        pool position post power practice present pressure price principle print problem process
        product production program project property proxy public purpose quality question queue
        range rate reason record red relation release report request research resource response
        result return review right risk road role room root rule run safety sample scale schedule
        scheme school science scope score screen script search season security sense series server
        service session set shape shell show side sign signal simple site size skill small social
        software solution sound source space speed stack staff stage standard start state station
        step stop storage store story strategy stream strength string structure student study
        style subject success summary supply support surface system table tag target task team
        technology term test text theme theory thing thread time title tool topic track trade
        training tree trend trial trust truth type unit update user value variable version view
        voice war water way web week weight window woman word work worker world writing year able
        available bad best better big black blue clear close cold common dark deep different early
        easy fast fine first full great happy hot last late little long low next old possible
        quick ready real second short single slow special strong sure third total true useful
        white whole wrong young add ask become begin believe bring build buy choose come consider
        continue create cut decide define develop draw eat end explain fall feel fill find follow
        give go grow happen have hear hold include join jump keep know learn leave let like listen
        live load look lose make mean meet move pay pick pull push put read receive remember
        remove save say see seem sell send serve sit solve speak spend stand stay take talk teach
        tell think touch travel try turn understand use visit wait walk want watch win wish write
        áp·dụng ảnh·hưởng bài bài·viết bạn bản bảng báo·cáo bắt·đầu bên biết bước cách cách·dùng
        câu·hỏi cấu·trúc chất·lượng chi·tiết chính chủ·đề chức·năng chương·trình cơ·bản cơ·sở
        con·người công·cụ công·nghệ công·ty công·việc cuộc·sống dân·số dịch·vụ dữ·liệu dự·án
        đặc·điểm địa·chỉ đối·tượng đường giá giá·trị giải·pháp giáo·dục gia·đình hàm hệ·thống
        hiệu·quả hình·ảnh hoạt·động học kết·quả khách·hàng khả·năng khái·niệm khoa·học kiến·thức
        kinh·nghiệm kinh·tế kỹ·thuật lịch·sử loại lý·do lý·thuyết mạng máy máy·tính môi·trường
        mô·hình mục·đích năm ngày người người·dùng nghiên·cứu nghĩa nguyên·nhân nhà nhóm nhu·cầu
        nội·dung nước phát·triển phần·mềm phương·pháp phương·thức quá·trình quản·lý quốc·gia
        quy·tắc quy·trình sách sản·phẩm số sự·kiện sức·khỏe sử·dụng tác·dụng tác·giả tài·khoản
        tài·liệu tên tháng thế·giới thời·gian thông·tin thuộc·tính thực·hành tiền tính·năng
        tổ·chức trạng·thái trang trường·hợp tư·duy từ vai·trò văn·bản văn·hóa vấn·đề việc·làm
        ví·dụ xã·hội ý·nghĩa yếu·tố yêu·cầu
        安全 版本 帮助 保存 编程 变化 变量 标题 标准 步骤 参数 测试 策略 产品 程序 城市 成功 处理
        创建 词 打开 代码 单位 地方 地址 电脑 定义 东西 对象 发布 发展 范围 方法 方案 方式 分类
        分析 风险 服务 概念 感觉 更新 工程 工具 工作 公司 功能 关系 管理 规则 国家 过程 函数 环境
        活动 机器 机制 基础 技术 计划 计算 记录 价格 价值 教育 接口 结构 经济 经验 开发 开始 客户
        空间 控制 类 类型 理论 历史 列表 流程 逻辑 命令 名称 模式 模型 目的 内容 能力 朋友 配置
        平台 评价 企业 情况 区别 权限 人 人类 任务 日期 日志 软件 设备 设计 社会 生活 生命 时间
        实现 实践 世界 市场 事件 事情 数据 数字 数组 思考 思想 搜索 算法 特点 特征 条件 调用 图片
        团队 网络 网站 位置 文化 文件 文章 文字 系统 现象 线程 项目 消息 效果 信息 性能 需求 选择
        学生 学习 研究 样式 业务 页面 意义 艺术 因素 应用 影响 用户 优化 语言 语法 元素 原理 运行
        运动 责任 政府 知识 执行 质量 状态 资料 资源 自然 字段 字符 组织 作品 作用 作者
        """
    )
)
"""Everyday words (·: a space): as a title such a word names nothing every mention would mean."""
