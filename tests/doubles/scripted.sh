# A bot that answers one decision at a time with the first legal move, and behaves badly as its arguments say: how, and
# at one of how many decisions. Which ones are bad follows from their seeds, so every run of it has the same faults.
how=$1
often=$2
while read -r line; do
    case $line in
    *'"hello"'*) echo '{"hello":{"name":"scripted","protocol":1,"variants":["all"],"batch":1}}' ;;
    *'"decide"'*)
        id=${line#*'"id":'}
        seed=${line#*'"seed":'}
        legal=${line#*'"legal":["'}
        move=${legal%%'"'*}
        if [ $((${seed%%,*} % often)) = 0 ]; then
            case $how in
            die) kill -9 $$ ;;
            stall) read -r more; exit ;;
            lie) move=BJ ;;
            esac
        fi
        echo "{\"moves\":[[${id%%,*},\"$move\"]]}"
        ;;
    *'"bye"'*) exit ;;
    esac
done
